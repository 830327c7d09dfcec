package io.kairos.simulator.task;

/**
 * The rules of tasks that checkers judge by, each a sentence that a broken one is reported with.
 */
public final class TaskRuleNames {
  private TaskRuleNames() {}

  public static final String DURABLE = "T1 an accepted task is stored, once";
  static final String CLAIMED_ONCE = "T2 a claim is exclusive, and each has a fence of its own";
  static final String DISJOINT =
      "T3 executions of one task do not overlap, but with one that ignores that its lease is lost";
  static final String STALE = "T4 an old fence changes nothing and is told so";
  static final String NOT_BEFORE_DUE = "T5 nothing starts before it is due";
  static final String ATTEMPTS = "T6 attempts are counted and bounded";
  static final String BACKOFF = "T7 a retry waits for its backoff";
  static final String FINAL =
      "T8 an ended task stays ended, with the result that its worker reported";
  static final String LAPSED = "T9 only a task whose lease has lapsed is taken from its holder";
  static final String CHANGES = "T10 cancel and reschedule are linearizable per task";
  static final String WANTED = "T11 a node takes into memory what its workers ask for";
  static final String ISOLATED = "T12 a queue whose workers are stuck delays no other";
  static final String KEYS = "T13 one of an ordering key at a time, in due order";
  static final String CAPPED = "T14 no more of a queue at a time than its limit";
  static final String PAUSED = "T15 nothing begins after a pause was answered";
  static final String ONCE = "T16 while its window lasts an idempotency key is one task";
  static final String NOT_TOO_LATE =
      "T17 nothing begins after its start deadline, nor ends by it before";
  static final String NOT_OVER_TIME = "T19 no attempt is over time before its execution timeout";
  static final String FAIR =
      "T20 a task of one fairness key waits for a turn of the others, not for all their tasks";
  static final String SUCCESSORS =
      "T21 a successor waits until its predecessors have ended as it asks, and no longer";
  static final String BATCHES = "T22 a batch counts all its tasks, by how they have ended";
  static final String KEY_LIMITS =
      "T23 no more that name a limit at a time, nor more often, than it allows";
  static final String IN_TURN =
      "T18 what is due begins in its turn, however much of higher priorities and other handlers waits";
}
