package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Identity of a task: a UUIDv7 (RFC 9562), so that ids of later tasks sort after earlier ones. */
public record TaskId(UUID value) implements Comparable<TaskId> {
  private static final int VERSION = 7;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  public TaskId {
    requireNonNull(value, "value");
  }

  /**
   * An id for a task that is accepted now.
   *
   * @param epochMillis the clock, 48 bits of it
   * @param random 128 random bits, of which 74 are used
   */
  public static TaskId at(long epochMillis, long random, long moreRandom) {
    long high = (epochMillis << 16) | ((long) VERSION << 12) | (random & 0xFFF);
    return new TaskId(new UUID(high, VARIANT | (moreRandom >>> 2)));
  }

  @Override
  public int compareTo(TaskId other) {
    int high =
        Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(
            value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
