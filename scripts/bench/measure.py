"""Run the contenders in turns and print their times side by side.

Called by scripts/bench.sh, which prepares what they read: in the work folder
plan.tsv (the sorted list), plan-short.tsv (a hundredth of it) and one.cdxj (a
list of one capture).
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections import namedtuple

MIB = 1 << 20
TINY_ROUNDS = 15
CAT = "cat of as many bytes"
PYTHON_LOOP = "Python loop: seek, read, write"
PIPE = "extract-records in a pipe"
ONE_CORE, TWO_CORES = "jobs/extract.sh on 1 core", "jobs/extract.sh on 2 cores"

Contender = namedtuple("Contender", "title command stdin output")
Result = namedtuple("Result", "seconds rss")  # rss: the largest process's, in bytes


def run(contender, log, bulk=None):
    """One turn. Nothing is left to be written to the disk, so that no turn pays
    for the one before. As much memory as the file bulk has is in the kernel's
    hands: a virtual machine may have given free memory back to its host, and how
    long it takes to get it again says nothing about any contender."""
    shutil.rmtree(contender.output, ignore_errors=True)
    os.sync()
    if bulk:
        shutil.copyfile(bulk, bulk + ".copy")
        os.remove(bulk + ".copy")
    if not contender.output.endswith(".job"):
        os.makedirs(contender.output)
    with open(contender.stdin, "rb") as stdin, open(log, "wb") as stderr:
        begin = time.perf_counter()
        process = subprocess.Popen(contender.command, stdin=stdin, stdout=stderr, stderr=stderr)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        with open(log, errors="replace") as f:
            sys.stderr.write(f.read())
        raise SystemExit("%s: exit status %d" % (contender.title, process.returncode))
    return Result(seconds, usage.ru_maxrss * 1024)


def take_turns(contenders, rounds, log, bulk=None):
    """All results of each contender, by its title. The outputs of the last round stay."""
    results = {c.title: [] for c in contenders}
    for i in range(rounds):
        for c in contenders:
            results[c.title].append(run(c, log, bulk))
            if i < rounds - 1:
                shutil.rmtree(c.output)
            progress("round %d of %d: %s" % (i + 1, rounds, c.title))
    return results


def progress(text):
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" + text)
        sys.stderr.flush()


def median(results):
    return statistics.median(r.seconds for r in results)


def least(results):
    return min(r.seconds for r in results)


def shell(script, *arguments):
    return ["bash", "-euo", "pipefail", "-c", script, "bash", *arguments]


class Benchmark:
    def __init__(self, o):
        self.o = o
        self.bin = os.path.join(o.root, "bin")
        self.archives = os.path.join(o.corpus, "archives")
        self.plan = self.path("plan.tsv")
        self.log = self.path("log")
        self.records = self.bytes = 0
        with open(self.plan, "rb") as f:
            for line in f:
                self.records, self.bytes = self.records + 1, self.bytes + int(line.split(b"\t", 4)[3])
        with open(self.path("plan-short.tsv"), "rb") as f:
            self.short = sum(1 for _ in f)

    def path(self, name):
        return os.path.join(self.o.work, name)

    def program(self, name):
        return os.path.join(self.bin, name)

    def job(self, *arguments):
        return [os.path.join(self.o.root, "jobs", "extract.sh"), "--quiet", *arguments]

    def extraction(self, cores, title):
        output = self.path("cores-%d.job" % cores)
        command = ["taskset", "-c", ",".join(str(c) for c in sorted(os.sched_getaffinity(0))[:cores])] + self.job(
            "--input", os.path.join(self.o.corpus, "pick.cdxj"), "--archives", self.archives, "--output", output,
            "-D", "mapreduce.local.map.tasks.maximum=%d" % cores,
            "-D", "mapreduce.local.reduce.tasks.maximum=%d" % cores)
        return Contender(title, command, os.devnull, output)

    def contenders(self):
        cat, loop, pipe, whole = (self.path(n) for n in ("cat", "loop", "pipe", "whole"))
        extract = self.program("extract-records")
        return [
            Contender(CAT, shell('cat "$1" >"$2/copy"', self.path("bytes"), cat), os.devnull, cat),
            Contender(PYTHON_LOOP,
                      [sys.executable, os.path.join(self.o.root, "scripts", "bench", "copy_records.py"), self.archives, loop],
                      self.plan, loop),
            Contender(PIPE,
                      shell('cat "$1" | "$2" --archives "$3" --output "$4" >"$4/tables"', self.plan, extract, self.archives, pipe),
                      os.devnull, pipe),
            Contender("parse | sort | extract in a pipe",
                      shell('"$1/parse-captures" <"$2" | LC_ALL=C sort -S 64M | "$1/extract-records" --archives "$3" --output "$4" >"$4/tables"',
                            self.bin, os.path.join(self.o.corpus, "pick.cdxj"), self.archives, whole),
                      os.devnull, whole),
            self.extraction(1, ONE_CORE),
            self.extraction(2, TWO_CORES),
        ]

    def memory(self, plan):
        output = self.path("memory")
        c = Contender("memory", [self.program("extract-records"), "--archives", self.archives, "--output", output],
                      self.path(plan), output)
        return max(run(c, self.log).rss for _ in range(3))

    def tiny(self):
        engine, job = self.path("tiny-engine.job"), self.path("tiny-extract.job")
        one = self.path("one.cdxj")
        return [
            Contender("run-streaming -mapper cat -reducer cat",
                      [self.program("run-streaming"), "-D", "mapreduce.job.maps=1", "-input", one, "-output", engine,
                       "-mapper", "cat", "-reducer", "cat"], os.devnull, engine),
            Contender("jobs/extract.sh",
                      self.job("--input", one, "--archives", self.archives, "--output", job), os.devnull, job),
        ]

    def check(self, contenders):
        """All outputs of the last round hold the same records. This is not done
        here because a process counts its parent's memory as its own until it is a
        program of its own."""
        loop = next(c.output for c in contenders if c.title == PYTHON_LOOP)
        manifests = [os.path.join(c.output, name) for c in contenders for name in ("tables", "manifest.tsv")]
        script = os.path.join(self.o.root, "scripts", "bench", "check_records.py")
        if subprocess.run([sys.executable, script, self.plan, loop] + [m for m in manifests if os.path.exists(m)]).returncode:
            raise SystemExit("the outputs differ")

    def main(self):
        print_machine(self)
        contenders = self.contenders()
        # cat reads what the Python loop has copied, as one file.
        loop = next(c for c in contenders if c.title == PYTHON_LOOP)
        run(loop, self.log)
        subprocess.run(shell('cat "$1"/* >"$2"', loop.output, self.path("bytes")), check=True)
        results = take_turns(contenders, self.o.rounds, self.log, self.path("bytes"))
        progress("")
        self.print_times(results)
        print(flush=True)
        self.check(contenders)
        for c in contenders:
            shutil.rmtree(c.output)
        short, full = self.memory("plan-short.tsv"), self.memory("plan.tsv")
        print("\nMemory of extract-records (maximum resident set): %.1f MiB for %s lines, %.1f MiB for %s lines" % (
            short / MIB, format(self.short, ","), full / MIB, format(self.records, ",")))
        largest = max(r.rss for r in results[TWO_CORES])
        print("Largest process of the job on 2 cores: %.1f MiB" % (largest / MIB))
        tiny = take_turns(self.tiny(), TINY_ROUNDS, self.log)
        progress("")
        print("\nA list of one line: %d turns" % TINY_ROUNDS)
        for title, r in tiny.items():
            print("  %-42s %s" % (title, spread(r)))
        self.print_bars(results, max(short, full), tiny)
        if self.o.hadoop:
            self.on_hadoop()

    def print_times(self, results):
        base = median(results[CAT])
        print("%-34s %8s  %-15s %7s %11s %8s" % ("", "seconds", "least–most", "MB/s", "records/s", "× cat"))
        for title, r in results.items():
            m = median(r)
            print("%-34s %s %7.0f %11s %8.2f" % (title, spread(r), self.bytes / m / 1e6, format(round(self.records / m), ","), m / base))

    def print_bars(self, results, rss, tiny):
        def ratio(of, to, value):
            return value(results[of]) / value(results[to])
        ratios = [(PIPE, CAT, 2, "at most 2"), (PIPE, PYTHON_LOOP, 1, "at most 1"), (ONE_CORE, TWO_CORES, -1.5, "at least 1.5")]
        bars = []
        for of, to, limit, words in ratios:
            m = ratio(of, to, median)
            met = m <= limit if limit > 0 else m >= -limit
            bars.append(("%s / %s" % (of, to), "%.2f" % m, "%.2f" % ratio(of, to, least), words, met))
        engine = next(iter(tiny.values()))
        bars.append(("memory of extract-records", "%.1f MiB" % (rss / MIB), "", "under 64 MiB", rss < 64 * MIB))
        bars.append(("engine, list of one line", "%.2f s" % median(engine), "%.2f s" % least(engine), "under 0.3 s", median(engine) < 0.3))
        print("\n%-60s %9s %9s  %s" % ("Bars", "medians", "least", "wanted"))
        for what, value, best, words, met in bars:
            print("  %-58s %9s %9s  %-13s %s" % (what, value, best, words, "met" if met else "NOT MET"))

    def on_hadoop(self):
        """The job on the one-node Hadoop, next to its start-up time."""
        def seconds(lists, name):
            output = "%s/%s" % (self.o.hadoop, name)
            command = [os.path.join(self.o.root, "scripts", "hadoop.sh"), "run"] + self.job(
                "--engine", "hadoop", "--input", "%s/%s" % (self.o.hadoop, lists),
                "--archives", self.o.hadoop + "/archives", "--output", output)
            progress("on Hadoop: " + lists)
            return run(Contender("jobs/extract.sh on Hadoop", command, os.devnull, self.path("hadoop.job")), self.log).seconds
        start, whole = seconds("one.cdxj", "one"), seconds("pick.cdxj", "pick")
        progress("")
        print("\nOne-node Hadoop, one turn")
        print("  %-42s %8.1f s" % ("a list of one line: start-up", start))
        print("  %-42s %8.1f s  %s records/s, %.0f MB/s" % (
            "%s lines" % format(self.records, ","), whole, format(round(self.records / whole), ","), self.bytes / whole / 1e6))
        print("  %-42s %8.1f s  %s records/s" % (
            "beyond the start-up", whole - start, format(round(self.records / max(whole - start, 1e-3)), ",")))


def spread(results):
    seconds = [r.seconds for r in results]
    return "%8.3f  %-15s" % (statistics.median(seconds), "%.3f–%.3f" % (min(seconds), max(seconds)))


def print_machine(b):
    model = "unknown processor"
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    print("%s, %d cores; load %.1f at the begin; page cache warm for all" % (model, len(os.sched_getaffinity(0)), os.getloadavg()[0]))
    size = sum(e.stat().st_size for e in os.scandir(b.archives))
    print("%s records of %.1f KB, %.0f MB in all, out of %d archives of %.0f MB; median of %d rounds in turns\n" % (
        format(b.records, ","), b.bytes / b.records / 1e3, b.bytes / 1e6, len(os.listdir(b.archives)), size / 1e6, b.o.rounds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--root", "--corpus", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--hadoop", metavar="URI", help="folder in HDFS with archives/, pick.cdxj and one.cdxj")
    Benchmark(parser.parse_args()).main()
