package io.kairos.domain.cron;

import static io.kairos.domain.check.ArgumentCheck.require;

/**
 * The number of a component: a part of the system that does work at times. Each component has one
 * cron table and its own ticks.
 *
 * @param value an unsigned number of 32 bits
 */
public record ComponentId(long value) implements Comparable<ComponentId> {
  private static final long LARGEST = 0xffff_ffffL;

  /** Throws {@link IllegalArgumentException} for a number out of range. */
  public ComponentId {
    require(
        value >= 0 && value <= LARGEST,
        "a component has a number from 0 to " + LARGEST + ", not ",
        value);
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
