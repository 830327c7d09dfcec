package io.kairos.client.handler;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Thrown by a handler that puts its task off, for example because the other side is not ready yet.
 * That is no failure: no error is kept, the attempt does not count, and its number is used again by
 * the next attempt. A task may be put off any number of times; its start deadline still holds. A
 * task at the head of an ordering key keeps its place, and those behind it wait.
 */
public final class Snooze extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Duration delay;

  /**
   * Puts the task off by this delay, by the clock of the nodes' store.
   *
   * @param delay at most 365 days; a longer one is cut, and a negative one is none, after which the
   *     task is due at once: give a second at least, or the handler runs in a loop
   */
  public Snooze(Duration delay) {
    super("put off by " + delay);
    this.delay = requireNonNull(delay, "delay");
  }

  public Duration delay() {
    return delay;
  }
}
