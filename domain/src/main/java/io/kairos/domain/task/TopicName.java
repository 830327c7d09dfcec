package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

/** Name of a topic that messages are published to. The broker knows which names there can be. */
public record TopicName(String value) implements Output {
  public TopicName {
    requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value;
  }
}
