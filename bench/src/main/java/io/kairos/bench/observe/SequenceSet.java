package io.kairos.bench.observe;

import java.util.Arrays;

/**
 * Which numbers of a dense row have been seen: a bit each, growing with the highest. Not
 * thread-safe.
 */
final class SequenceSet {
  private static final int INITIAL_WORDS = 1 << 14;

  private long[] words = new long[INITIAL_WORDS];
  private long size;

  /** Returns false when the number was there already. */
  boolean add(long number) {
    int word = Math.toIntExact(number >>> 6);
    if (word >= words.length) {
      words = Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
    }
    long bit = 1L << number;
    if ((words[word] & bit) != 0) {
      return false;
    }
    words[word] |= bit;
    size++;
    return true;
  }

  boolean contains(long number) {
    long word = number >>> 6;
    return word < words.length && (words[(int) word] & (1L << number)) != 0;
  }

  long size() {
    return size;
  }
}
