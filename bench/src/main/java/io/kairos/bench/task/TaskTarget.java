package io.kairos.bench.task;

import java.util.List;

/** The target of a load of tasks. Used by several threads. */
@FunctionalInterface
public interface TaskTarget {
  /** Returns when all of them are durable; when it throws, nobody can tell. */
  void schedule(List<Job> jobs);

  /**
   * A task to be.
   *
   * @param payload says the number and the due time again, for whoever performs it; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Job(long sequence, long dueMicros, byte[] payload) {}
}
