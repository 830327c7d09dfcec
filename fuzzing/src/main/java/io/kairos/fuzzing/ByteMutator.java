package io.kairos.fuzzing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes inputs of others: flips bits, inserts interesting values and words of a format's
 * dictionary, removes, repeats and cuts ranges, and joins two inputs. A seed gives the same inputs
 * on every machine. Not thread-safe.
 */
final class ByteMutator {
  /** Beyond this size an input is cut: a parser of a bounded text learns nothing from more. */
  static final int MOST_BYTES = 1 << 16;

  private static final int MOST_STEPS = 6;
  private static final int MOST_REPEATS = 2_000;
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    32_767,
    65_535,
    65_536,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "\0",
          "\n",
          "\r\n",
          "\t",
          ",",
          "-",
          "/",
          "*",
          ":",
          ";",
          "=",
          "\"",
          "\\",
          "{",
          "}",
          "[",
          "]",
          "é",
          "\u2028",
          "\uFEFF",
          "٣",
          "ı",
          "😀",
          "NaN",
          "1e999",
          "-0",
          "00",
          "2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "99999999999999999999",
          "0.0000000000000000001",
          "-999999999-01-01T00:00:00Z",
          "+999999999-12-31T23:59:59Z",
          "null",
          "true",
          "%00",
          "%F0%28%8C%28",
          "../");

  private final Random chance;
  private final List<byte[]> words = new ArrayList<>();

  ByteMutator(long seed, List<byte[]> dictionary) {
    chance = new Random(seed);
    TEXTS.forEach(text -> words.add(text.getBytes(UTF_8)));
    for (long number : NUMBERS) {
      words.add(new byte[] {(byte) number});
      words.add(ByteBuffer.allocate(Short.BYTES).putShort((short) number).array());
      words.add(ByteBuffer.allocate(Integer.BYTES).putInt((int) number).array());
      words.add(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }
    // The words of the format come as often as all others together.
    for (int i = 0, others = words.size(); i < others && !dictionary.isEmpty(); i++) {
      words.add(dictionary.get(i % dictionary.size()));
    }
  }

  /** Returns a mutation of one of the inputs, which stay as they are. */
  byte[] next(List<byte[]> inputs) {
    byte[] made = inputs.get(chance.nextInt(inputs.size()));
    for (int steps = 1 + chance.nextInt(MOST_STEPS); steps > 0; steps--) {
      made = step(made, inputs);
    }
    return made.length > MOST_BYTES ? part(made, 0, MOST_BYTES) : made;
  }

  private byte[] step(byte[] input, List<byte[]> inputs) {
    int at = chance.nextInt(input.length + 1);
    int end = at + chance.nextInt(Math.min(32, input.length - at) + 1);
    byte[] word = words.get(chance.nextInt(words.size()));
    return switch (chance.nextInt(9)) {
      case 0 -> flipped(input);
      case 1 -> joined(part(input, 0, at), word, part(input, at, input.length));
      case 2 -> joined(part(input, 0, at), word, part(input, end, input.length));
      case 3 -> joined(part(input, 0, at), part(input, end, input.length));
      case 4 -> part(input, 0, at);
      case 5 -> {
        byte[] other = inputs.get(chance.nextInt(inputs.size()));
        yield joined(
            part(input, 0, at), part(other, chance.nextInt(other.length + 1), other.length));
      }
      case 6 -> repeated(input, at, end, 2 + chance.nextInt(3));
      case 7 ->
          chance.nextInt(8) == 0
              ? repeated(input, at, end, chance.nextInt(MOST_REPEATS))
              : flipped(input);
      default -> replaced(input);
    };
  }

  private byte[] replaced(byte[] input) {
    byte[] replaced = input.clone();
    if (replaced.length > 0) {
      replaced[chance.nextInt(replaced.length)] = (byte) chance.nextInt();
    }
    return replaced;
  }

  private byte[] flipped(byte[] input) {
    byte[] flipped = input.clone();
    if (flipped.length > 0) {
      flipped[chance.nextInt(flipped.length)] ^= (byte) (1 << chance.nextInt(Byte.SIZE));
    }
    return flipped;
  }

  private static byte[] repeated(byte[] input, int from, int to, int times) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(input, 0, from);
    for (int i = 0; i < times && out.size() < MOST_BYTES; i++) {
      out.write(input, from, to - from);
    }
    out.write(input, to, input.length - to);
    return out.toByteArray();
  }

  private static byte[] part(byte[] input, int from, int to) {
    byte[] part = new byte[to - from];
    System.arraycopy(input, from, part, 0, part.length);
    return part;
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.write(part, 0, part.length);
    }
    return out.toByteArray();
  }
}
