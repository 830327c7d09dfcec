package io.kairos.domain.cron;

/**
 * Looks on while tables are evaluated, for logs, metrics and time budgets (CC-L5). Called on the
 * thread that executes; local to its replica, so nothing that it does may reach the state. Must not
 * throw.
 */
public interface CronListener {
  CronListener NONE = new CronListener() {};

  /** The action of a due entry begins. */
  default void began(ComponentId component, CronEntry entry) {}

  /** It returned or threw an exception. Not told of an Error, which ends the replica. */
  default void ended(ComponentId component, CronEntry entry) {}

  /** A callback threw, and the table goes on. */
  default void failed(ComponentId component, int position, Callback callback, Throwable thrown) {}
}
