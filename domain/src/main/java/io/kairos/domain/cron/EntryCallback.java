package io.kairos.domain.cron;

/** The functions of an entry that a table calls. The numbers are stored and never change. */
public enum EntryCallback {
  RULE(1),
  SCHEDULE_NEXT(2),
  ACTION(3),
  ON_REMOVE(4);

  private final int number;

  EntryCallback(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** Throws {@link IllegalArgumentException} for a number that no callback has. */
  static EntryCallback numbered(int number) {
    for (EntryCallback callback : values()) {
      if (callback.number == number) {
        return callback;
      }
    }
    throw new IllegalArgumentException("no callback has the number " + number);
  }
}
