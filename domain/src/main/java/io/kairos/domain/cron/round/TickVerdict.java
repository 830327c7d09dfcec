package io.kairos.domain.cron.round;

/** The effect of a tick on the rounds of its component. The order is stored as a number. */
public enum TickVerdict {
  /** Begins the round that it names: the table is evaluated. */
  BEGINS,
  /** Belongs to a round that has begun: the table is evaluated. */
  JOINS,
  /** Asks for the next round, which others must ask for as well. */
  ASKS,
  /** Belongs to a round that is over. */
  LATE,
  /** Is the second tick of its replica in a round, or not in turn in a round that has begun. */
  EXCESS,
  /** Belongs to a round that nobody can know of yet. */
  EARLY;

  /** Returns true if the table is evaluated. */
  public boolean evaluates() {
    return this == BEGINS || this == JOINS;
  }
}
