package io.kairos.domain.schedule;

/**
 * A search through the times that a rule names, in order: {@link #advance} moves to the next, the
 * others tell about it. For one thread and one search; times in seconds since 1970.
 */
interface Walk {
  /** What it found. */
  enum Kind {
    FIRE,
    IN_GAP,
    REPEATED
  }

  /** The first and the last second of the years 0 to 9999, which can be stored and shown. */
  long FIRST_SECOND = -62_167_219_200L;

  long LAST_SECOND = 253_402_300_799L;

  /** Whether there is another. */
  boolean advance();

  long at();

  /** What the rule names, in seconds of the wall clock. */
  long local();

  Kind kind();

  /** After one that is repeated: goes on behind all that this change of the clock repeats. */
  default void passRepeated() {}
}
