package io.kairos.domain.task.queue;

import org.jspecify.annotations.Nullable;

/**
 * The one for whom new queues are made: no maker may use up all queues of a store.
 *
 * @param value {@code caller} and a caller's name, or {@code messages}; SQL roles have {@code role}
 *     and their name
 */
public record QueueMaker(String value) {
  /** Most queues of one maker, of {@code 10,000}. The function kairos_schedule has it as well. */
  public static final int MOST_QUEUES = 2_500;

  /** Everybody who sends messages that become tasks. */
  public static final QueueMaker MESSAGES = new QueueMaker("messages");

  private static final String CALLER = "caller ";

  /** A caller of the API. */
  public static QueueMaker caller(String name) {
    return new QueueMaker(CALLER + name);
  }

  /** The name of the caller; null for another maker. */
  public @Nullable String callerName() {
    return value.startsWith(CALLER) ? value.substring(CALLER.length()) : null;
  }
}
