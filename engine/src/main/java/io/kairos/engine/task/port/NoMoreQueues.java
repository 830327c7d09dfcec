package io.kairos.engine.task.port;

/**
 * The request needs a new queue, and the number of queues has reached its bound. The request has
 * had no effect, and a retry is of no use.
 */
public final class NoMoreQueues extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoMoreQueues() {
    super("there are " + QueueNumberStore.MOST_QUEUES + " queues, and this would be a new one");
  }
}
