import java.lang.management.ManagementFactory

import com.sun.management.OperatingSystemMXBean
import org.apache.spark.rdd.RDD
import org.apache.spark.{SparkConf, SparkContext}
import org.archive.archivespark.ArchiveSpark
import org.archive.archivespark.functions.StringContent
import org.archive.archivespark.implicits._
import org.archive.archivespark.specific.warc.{WarcRecord, WarcSpec}

/** Sums the lengths of texts, again and again in one JVM.
  *
  * Arguments: INDEX.cdx ARCHIVES CORES REPETITIONS URL DOMAIN MONTH. Prints a line for
  * each repetition of each scenario: number of the scenario, sum in characters (the
  * blanks around a text are not counted), CPU seconds of the JVM, wall seconds.
  */
object Select {
  // Spark cannot look into closures within closures on Java 17, so these are methods.

  def captures(index: String, archives: String): RDD[WarcRecord] =
    ArchiveSpark.load(WarcSpec.fromFiles(index, archives))

  def ofUrl(captures: RDD[WarcRecord], url: String): RDD[WarcRecord] =
    captures.filter(r => r.originalUrl == url && r.status == 200)

  def ofDomain(captures: RDD[WarcRecord], domain: String): RDD[WarcRecord] = {
    val surt = domain.split('.').reverse.mkString(",")
    captures.filter(r =>
      r.status == 200 && r.mime == "text/html" && (r.surtUrl.startsWith(surt + ")") || r.surtUrl.startsWith(surt + ",")))
  }

  def latestOfMonth(captures: RDD[WarcRecord], month: String): RDD[WarcRecord] =
    captures
      .filter(r => r.timestamp.startsWith(month) && r.status == 200 && r.mime.startsWith("text/"))
      .distinctValue(_.surtUrl)((a, b) => if (a.timestamp >= b.timestamp) a else b)

  def sum(captures: RDD[WarcRecord]): Long =
    captures.enrich(StringContent).mapValues(StringContent).map(_.length.toLong).fold(0L)(_ + _)

  def main(args: Array[String]): Unit = {
    val Array(index, archives, cores, repetitions, url, domain, month) = args
    val spark = new SparkContext(
      new SparkConf().setMaster(s"local[$cores]").setAppName("select").set("spark.ui.enabled", "false").set("spark.driver.host", "127.0.0.1"))
    spark.setLogLevel("ERROR")
    val process = ManagementFactory.getOperatingSystemMXBean.asInstanceOf[OperatingSystemMXBean]
    for (_ <- 1 to repetitions.toInt; scenario <- 1 to 3) {
      val (cpu, wall) = (process.getProcessCpuTime, System.nanoTime)
      val all = captures(index, archives)
      val total = sum(scenario match {
        case 1 => ofUrl(all, url)
        case 2 => ofDomain(all, domain)
        case 3 => latestOfMonth(all, month)
      })
      println(f"$scenario%d\t$total%d\t${(process.getProcessCpuTime - cpu) / 1e9}%.3f\t${(System.nanoTime - wall) / 1e9}%.3f")
    }
    spark.stop()
  }
}
