package io.kairos.domain.schedule.local;

/** Small sets of small numbers in a long: bit n stands for n. */
public final class SmallNumberSets {
  private SmallNumberSets() {}

  /** The least member not below {@code from}, or -1. */
  public static int nextAtOrAfter(long set, int from) {
    if (from >= Long.SIZE) {
      return -1;
    }
    long rest = set & (-1L << from);
    return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
  }

  public static boolean has(long set, int member) {
    return (set >>> member & 1) != 0;
  }

  /** {@code from} to {@code to}, both included. */
  public static long range(int from, int to) {
    return from > to ? 0 : (-1L << from) & (-1L >>> (Long.SIZE - 1 - to));
  }
}
