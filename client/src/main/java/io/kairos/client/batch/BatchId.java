package io.kairos.client.batch;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** Id of a batch, assigned by the node that created it. */
public record BatchId(UUID value) {
  public BatchId {
    requireNonNull(value, "value");
  }

  /** Parses an id. Throws {@link IllegalArgumentException} when the text is not a UUID. */
  public static BatchId of(String text) {
    return new BatchId(UUID.fromString(text));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
