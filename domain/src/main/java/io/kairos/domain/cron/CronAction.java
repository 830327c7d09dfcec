package io.kairos.domain.cron;

/**
 * The work of an entry, run when its rule says so. Deterministic; runs on the thread that executes
 * requests, which waits for it. It keeps its state in reserved pages.
 */
@FunctionalInterface
public interface CronAction {
  void run(Tick tick);
}
