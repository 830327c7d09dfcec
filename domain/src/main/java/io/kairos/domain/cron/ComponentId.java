package io.kairos.domain.cron;

/**
 * A part of the system that has work to be done at times; each has one table and its own ticks.
 *
 * @param value an unsigned number of 32 bits (CC-13)
 */
public record ComponentId(long value) implements Comparable<ComponentId> {
  private static final long LARGEST = 0xffff_ffffL;

  /** Throws {@link IllegalArgumentException} for a number out of range. */
  public ComponentId {
    if (value < 0 || value > LARGEST) {
      throw new IllegalArgumentException(
          "a component has a number from 0 to " + LARGEST + ", not " + value);
    }
  }

  @Override
  public int compareTo(ComponentId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "component " + value;
  }
}
