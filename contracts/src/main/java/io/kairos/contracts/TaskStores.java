package io.kairos.contracts;

import io.kairos.engine.task.port.TaskStore;
import java.time.Duration;
import java.time.Instant;

/** A task store as a contract suite needs it. */
public interface TaskStores {
  TaskStore tasks();

  /** The store's own clock, exact to a few seconds: suites keep minutes of distance from it. */
  Instant now();

  /**
   * Makes all that is stored that much older, without waiting: a model moves its clock on, a
   * database moves every stored time back. Times given before mean something else afterwards.
   */
  void letPass(Duration duration);
}
