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
   * Makes an id of these bits. Nodes use {@link TaskIds}.
   *
   * @param epochMillis the clock, 48 bits of it
   * @param order the order among the ids of a millisecond, 12 bits of it
   * @param random 64 random bits, of which 62 are used
   */
  public static TaskId at(long epochMillis, long order, long random) {
    long high = (epochMillis << 16) | ((long) VERSION << 12) | (order & 0xFFF);
    return new TaskId(new UUID(high, VARIANT | (random >>> 2)));
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
