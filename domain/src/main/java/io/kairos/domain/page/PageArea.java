package io.kairos.domain.page;

/** The purpose of a reserved page. The numbers are stored and never change. */
public enum PageArea {
  /** Agreed time and the readings behind it. */
  CLOCK(1, Share.TABLES),
  /** The present round of each component's ticks. */
  ROUNDS(2, Share.TABLES),
  /** Next fire times of cron entries. */
  SCHEDULE(3, Share.TABLES),
  /** Callbacks that threw. */
  FAILURES(4, Share.TABLES),
  /** Effects that wait. */
  OUTBOX(5, Share.EFFECTS),
  /** The state of actions. */
  USER(6, Share.ACTIONS);

  /** Areas that have one part of the bound for themselves, so that no other takes their room. */
  enum Share {
    /** What tables need to go on. */
    TABLES(1),
    EFFECTS(1),
    ACTIONS(2);

    static final int QUARTERS = 4;

    final int quarters;

    Share(int quarters) {
      this.quarters = quarters;
    }
  }

  private final int number;
  private final Share share;

  PageArea(int number, Share share) {
    this.number = number;
    this.share = share;
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
    return share != Share.TABLES;
  }

  Share share() {
    return share;
  }
}
