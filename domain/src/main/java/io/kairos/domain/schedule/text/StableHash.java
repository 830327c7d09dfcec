package io.kairos.domain.schedule.text;

/**
 * A hash that is the same on every node, today and in years: 64-bit FNV-1a over the UTF-16 units,
 * then the finalizer of SplitMix64. Stored schedules depend on it, so it never changes.
 */
public final class StableHash {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private StableHash() {}

  public static long of(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mixed(hash);
  }

  /** Another hash for each number, from one. */
  public static long with(long hash, long number) {
    return mixed(hash + number * GOLDEN);
  }

  private static long mixed(long hash) {
    long z = hash;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
