package io.kairos.domain.page;

/** What a reserved page is for. The numbers are stored and never change. */
public enum PageArea {
  /** Agreed time and the readings behind it. */
  CLOCK(1, false),
  /** In which round the ticks of each component are. */
  ROUNDS(2, false),
  /** Next fire times of cron entries. */
  SCHEDULE(3, false),
  /** Callbacks that threw. */
  FAILURES(4, false),
  /** What is to be asked of the outside. */
  OUTBOX(5, true),
  /** Whatever actions keep. */
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

  /** Whether a roll back takes back what was written: so for pages of user code only. */
  boolean undone() {
    return undone;
  }
}
