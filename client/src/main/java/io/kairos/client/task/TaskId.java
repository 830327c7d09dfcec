package io.kairos.client.task;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Id of a task, assigned by the node that accepted it. */
public record TaskId(UUID value) {
  public TaskId {
    requireNonNull(value, "value");
  }

  /** Parses an id. Throws {@link IllegalArgumentException} when the text is not a UUID. */
  public static TaskId of(String text) {
    return new TaskId(UUID.fromString(text));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
