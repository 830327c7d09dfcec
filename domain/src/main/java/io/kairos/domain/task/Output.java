package io.kairos.domain.task;

/**
 * Where a delayed message goes when it is due: to a topic, or to a {@link TaskHandler} as a task.
 * In the store and in metrics it is one string; {@link #label} and {@link #ofLabel} are the only
 * places that know how it is made.
 */
public sealed interface Output permits TopicName, TaskHandler {
  /** What the label of a task's output begins with, and no topic's name can. */
  String TASK_PREFIX = "task:";

  /** A topic's name, or {@code task:} and a handler's wire name. */
  default String label() {
    return switch (this) {
      case TopicName(String name) -> name;
      case TaskHandler handler -> TASK_PREFIX + handler.wireName();
    };
  }

  /** Throws {@link IllegalArgumentException} for what is no {@link #label}. */
  static Output ofLabel(String label) {
    return label.startsWith(TASK_PREFIX)
        ? TaskHandler.ofWireName(label.substring(TASK_PREFIX.length()))
        : new TopicName(label);
  }
}
