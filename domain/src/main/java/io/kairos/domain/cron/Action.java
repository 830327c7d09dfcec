package io.kairos.domain.cron;

/**
 * What an entry does when its rule says so. Deterministic; runs on the thread that executes
 * requests, which waits for it (CC-43, CC-L5). What it keeps, it keeps in reserved pages.
 */
@FunctionalInterface
public interface Action {
  void run(Tick tick);
}
