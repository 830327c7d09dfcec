package io.kairos.domain.task.queue;

import static java.util.Objects.requireNonNull;

/** Name of a topic that messages are published to. The broker knows which names there can be. */
public record TopicName(String value) implements MessageOutput {
  public TopicName {
    requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value;
  }
}
