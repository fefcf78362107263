// Makes java-hash.tsv: java JavaHash.java 60 > java-hash.tsv
//
// Each line: bytes (hex), WritableComparator.hashBytes of them, String.hashCode
// of their text and the text's bytes (hex). The text is decoded as Hadoop's
// Text.toString does it, with malformed input replaced.

import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Random;

public class JavaHash {
  static int hashBytes(byte[] bytes) {
    int hash = 1;
    for (byte b : bytes) hash = 31 * hash + (int) b;
    return hash;
  }

  static String decode(byte[] bytes) throws Exception {
    return StandardCharsets.UTF_8.newDecoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE)
        .decode(ByteBuffer.wrap(bytes)).toString();
  }

  static String hex(byte[] bytes) {
    StringBuilder s = new StringBuilder();
    for (byte b : bytes) s.append(String.format("%02x", b & 255));
    return s.toString();
  }

  static void print(byte[] bytes) throws Exception {
    String text = decode(bytes);
    System.out.println(hex(bytes) + "\t" + hashBytes(bytes) + "\t" + text.hashCode() + "\t" + hex(text.getBytes("UTF-8")));
  }

  public static void main(String[] args) throws Exception {
    String[] words = {"", "a", "key", "hello world", "com,example)/", "a\tb", "\u00e9", "\u6f22\u5b57",
        "\ud83d\ude00", "zzzzzzzzzzzzzzzzzzzz", "polygenelubricants"};
    for (String word : words) print(word.getBytes("UTF-8"));
    Random random = new Random(7);
    int[] pool = {0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0,
        0xf1, 0xf4, 0xf5, 0xff, 0x09, 0x7f};
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      byte[] bytes = new byte[1 + random.nextInt(6)];
      for (int j = 0; j < bytes.length; j++) bytes[j] = (byte) pool[random.nextInt(pool.length)];
      print(bytes);
    }
  }
}
