package io.kairos.domain.schedule;

/**
 * A search through the times that a rule names, in order: {@link #advance} moves to the next time,
 * the other methods return it. For one thread and one search; times are seconds since 1970.
 */
abstract class OccurrenceWalk {
  /** The kind of the time that was found. */
  enum Kind {
    FIRE,
    IN_GAP,
    REPEATED
  }

  /** The first and the last second of the years 0 to 9999, which can be stored and shown. */
  static final long FIRST_SECOND = -62_167_219_200L;

  static final long LAST_SECOND = 253_402_300_799L;

  /** The present time, in seconds since 1970. */
  protected long at;

  /** The time that the rule names, in seconds of the wall clock. */
  protected long local;

  protected Kind kind = Kind.FIRE;

  /** Moves to the next time; returns false if there is none. */
  abstract boolean advance();

  final long at() {
    return at;
  }

  final long local() {
    return local;
  }

  final Kind kind() {
    return kind;
  }

  /**
   * Passes over all times that this change of the clock repeats; for a walk that stands at a
   * repeated time.
   */
  void passRepeated() {}
}
