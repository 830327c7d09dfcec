package io.kairos.domain.page;

/** The purpose of a reserved page. The numbers are stored and never change. */
public enum PageArea {
  /** Agreed time and the readings behind it. */
  CLOCK(1, false),
  /** The present round of each component's ticks. */
  ROUNDS(2, false),
  /** Next fire times of cron entries. */
  SCHEDULE(3, false),
  /** Callbacks that threw. */
  FAILURES(4, false),
  /** Effects that wait. */
  OUTBOX(5, true),
  /** The state of actions. */
  USER(6, true);

  private final int number;
  private final boolean undone;

  PageArea(int number, boolean undone) {
    this.number = number;
    this.undone = undone;
  }

  /** Throws {@link IllegalArgumentException} for a number that no area has. */
  static PageArea numbered(int number) {
    for (PageArea area : values()) {
      if (area.number == number) {
        return area;
      }
    }
    throw new IllegalArgumentException("no area of reserved pages has the number " + number);
  }

  int number() {
    return number;
  }

  /** Returns true if a roll back undoes writes, which holds for pages of user code only. */
  boolean undone() {
    return undone;
  }
}
