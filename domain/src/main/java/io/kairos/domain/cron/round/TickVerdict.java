package io.kairos.domain.cron.round;

/** What a tick is worth in the rounds of its component. The order is stored as a number. */
public enum TickVerdict {
  /** Begins the round that it names: the table is evaluated. */
  BEGINS(true),
  /** One more of a round that has begun: the table is evaluated. */
  JOINS(true),
  /** Asks for the next round, which others must ask for as well. */
  ASKS(false),
  /** Of a round that is over. */
  LATE(false),
  /** The second of one replica in a round, or not in turn in a round that has begun. */
  EXCESS(false),
  /** Of a round that nobody can know of yet. */
  EARLY(false);

  private final boolean evaluates;

  TickVerdict(boolean evaluates) {
    this.evaluates = evaluates;
  }

  /** Whether the table is evaluated. */
  public boolean evaluates() {
    return evaluates;
  }
}
