package io.kairos.domain.cron;

/**
 * Listens to the evaluation of tables, for logs, metrics and time budgets. Called on the thread
 * that executes requests. A listener is local to its replica and must not change the state. Must
 * not throw.
 */
public interface CronListener {
  CronListener NONE = new CronListener() {};

  /** The action of a due entry begins. */
  default void began(ComponentId component, CronEntry entry) {}

  /**
   * The action returned or threw an exception. Not called for an {@link Error}, which ends the
   * replica.
   */
  default void ended(ComponentId component, CronEntry entry) {}

  /** A callback threw, and the table goes on. */
  default void failed(
      ComponentId component, int position, EntryCallback callback, Throwable thrown) {}
}
