package io.kairos.simulator;

/**
 * What must hold, by name: docs/delivery-guarantees.md, docs/tasks.md and ARCHITECTURE.md ("What
 * may not change") as sentences that a history can be held against. The numbers are defined here.
 */
final class Rules {
  static final String NO_LOSS = "D1 nothing accepted is lost";
  static final String NOT_EARLY = "D2 nothing early";
  static final String ON_TIME = "D3 on time when nothing is wrong";
  static final String UNIQUE = "D4 ids are unique while pending";
  static final String NO_CAUSELESS_COPY = "D5 a second copy has a cause";
  static final String ONE_OWNER = "D6 one owner at a time, changed under suspicion only";
  static final String FENCED = "D7 an old fence changes nothing";
  static final String IDENTITY = "D8 payload identity";
  static final String ROUTING = "D9 same key, same partition";
  static final String LINEARIZABLE = "D10 cancel and reschedule are linearizable per id";
  static final String POSITIONS = "positions move on and never back";
  static final String BOUNDED = "everything that queues has a bound";
  static final String DRAINS = "after heal the backlog drains";
  static final String PARKED = "what cannot be handled is parked with its reason";
  static final String STAMPS = "stamps tell the time and strictly rise";
  static final String NO_HALF_LIFE = "a node works or stops";

  // Of tasks

  static final String DURABLE = "T1 what is answered as accepted is stored, once";
  static final String CLAIMED_ONCE = "T2 a claim is exclusive, and each has a fence of its own";
  static final String DISJOINT = "T3 executions of one task do not overlap";
  static final String STALE = "T4 an old fence changes nothing and is told so";
  static final String NOT_BEFORE_DUE = "T5 nothing starts before it is due";
  static final String ATTEMPTS = "T6 attempts are counted and bounded";
  static final String BACKOFF = "T7 a retry waits for its backoff";
  static final String FINAL = "T8 what has ended stays so, and as its worker said";
  static final String LAPSED = "T9 only what has lapsed is taken from its holder";
  static final String CHANGES = "T10 cancel and reschedule are linearizable per task";
  static final String WANTED = "T11 a node takes into memory what its workers ask for";
  static final String ISOLATED = "T12 a queue whose workers are stuck delays no other";

  static final String KEYS = "T13 one of an ordering key at a time, in due order";
  static final String CAPPED = "T14 no more of a queue at a time than its limit";
  static final String PAUSED = "T15 nothing begins after a pause was answered";
  static final String ONCE = "T16 while its window lasts an idempotency key is one task";
  static final String NOT_TOO_LATE =
      "T17 nothing begins after its start deadline, nor ends by it before";

  // Of schedules; C6 and C7 are T8 and T6, which judge their runs as they judge any task

  static final String ONE_DECISION = "C1 a fire time is decided once, and stays so";
  static final String NO_SILENT_MISS = "C2 every fire time that has passed is decided";
  static final String STABLE_ID = "C3 a run's id is that of its schedule and fire time";
  static final String NO_STORM = "C5 what is made up for is bounded";
  static final String ITS_RUN = "S1 what is decided to fire has its run, and nothing else has";
  static final String OVERLAPS = "S2 runs overlap as the policy says";
  static final String STILL = "S3 what is paused does not fire";
  static final String ASKED_ONCE = "S4 a request runs once";
  static final String NOT_AHEAD = "S5 a clock that jumps fires nothing before it is believed";

  static final String LEFT_OUT = "S6 what a calendar or a clock is said to leave out does not fire";
  static final String NOT_BACK = "S7 other calendars and rules of zones bring nothing back";
  static final String ITS_DECIDER = "S8 what has come is decided by who is to";
  static final String AGREED_TIME =
      "S9 agreed time that is far ahead of the store's clock fires nothing";

  private Rules() {}
}
