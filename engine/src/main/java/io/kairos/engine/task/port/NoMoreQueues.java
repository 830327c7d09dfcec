package io.kairos.engine.task.port;

/**
 * What was asked needs a new queue, and there are as many as there may be. It has had no effect,
 * and asking again is of no use.
 */
public final class NoMoreQueues extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoMoreQueues() {
    super("there are " + TaskStore.MOST_QUEUES + " queues, and this would be a new one");
  }
}
