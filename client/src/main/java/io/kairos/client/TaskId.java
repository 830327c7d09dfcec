package io.kairos.client;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Identity of a task, given by the node that accepted it. */
public record TaskId(UUID value) {
  public TaskId {
    requireNonNull(value, "value");
  }

  /** Throws {@link IllegalArgumentException} when it is no UUID. */
  public static TaskId of(String text) {
    return new TaskId(UUID.fromString(text));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
