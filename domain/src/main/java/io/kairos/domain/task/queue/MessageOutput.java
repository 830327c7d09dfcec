package io.kairos.domain.task.queue;

/**
 * The destination of a delayed message that is due: a topic, or a {@link TaskHandler} that gets it
 * as a task. In the store and in metrics it is one string; only {@link #label} and {@link #ofLabel}
 * know its format.
 */
public sealed interface MessageOutput permits TopicName, TaskHandler {
  /** The prefix of the label of a task's output, which no topic's name can have. */
  String TASK_PREFIX = "task:";

  /** A topic's name, or {@code task:} and a handler's wire name. */
  default String label() {
    return switch (this) {
      case TopicName(String name) -> name;
      case TaskHandler handler -> TASK_PREFIX + handler.wireName();
    };
  }

  /** Throws {@link IllegalArgumentException} for what is no {@link #label}. */
  static MessageOutput ofLabel(String label) {
    return label.startsWith(TASK_PREFIX)
        ? TaskHandler.ofWireName(label.substring(TASK_PREFIX.length()))
        : new TopicName(label);
  }
}
