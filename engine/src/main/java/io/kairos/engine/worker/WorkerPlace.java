package io.kairos.engine.worker;

/**
 * A place in the list of workers: first those that were heard of lately, then those that are quiet,
 * each in the order of their ids, and of their callers. So a list that is read page by page does
 * not move with each sign of life.
 */
public record WorkerPlace(boolean isQuiet, WorkerKey key) {
  /** Before all workers. */
  public static final WorkerPlace FIRST = new WorkerPlace(false, new WorkerKey("", ""));
}
