package io.kairos.domain.schedule.text;

import static io.kairos.domain.check.HashFunction.FNV_OFFSET;
import static io.kairos.domain.check.HashFunction.FNV_PRIME;
import static io.kairos.domain.check.HashFunction.mixed;

/**
 * A hash that is equal on every node and in every version: 64-bit FNV-1a over the UTF-16 units,
 * then the finalizer of SplitMix64. Stored schedules depend on it, so it never changes.
 */
public final class StableHash {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private StableHash() {}

  public static long of(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mixed(hash);
  }

  /** Derives another hash for each number. */
  public static long with(long hash, long number) {
    return mixed(hash + number * GOLDEN);
  }
}
