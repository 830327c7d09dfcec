package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.client.error.TaskConflictException;
import java.time.Duration;

/**
 * Makes scheduling a task idempotent: {@code Idempotency.key("order 7").forTime(ofDays(1))}. Within
 * the window of a task, another task of its handler with the same key counts as that task. By
 * default the window lasts until the first task has ended. Immutable.
 */
public final class Idempotency {
  private final io.kairos.api.v1.Idempotency wire;

  private Idempotency(io.kairos.api.v1.Idempotency wire) {
    this.wire = wire;
  }

  /** What happens to a task whose key is taken. */
  public enum OnConflict {
    /** The first task stays as it is, and the call returns its id. */
    KEEP,
    /** The new task replaces the first one while that waits, and takes over its id. */
    REPLACE,
    /** The call throws {@link TaskConflictException}. */
    ERROR
  }

  /**
   * Deduplicates until the first task has ended, and keeps the first task.
   *
   * @param key 1 to 256 characters, chosen by the application
   */
  public static Idempotency key(String key) {
    return new Idempotency(io.kairos.api.v1.Idempotency.newBuilder().setKey(key).build());
  }

  /** Sets the window to a time from the acceptance of the first task, even if that ends earlier. */
  public Idempotency forTime(Duration length) {
    return new Idempotency(
        wire.toBuilder().clearWindow().setDuration(ProtoTime.of(length)).build());
  }

  /** Makes the window unlimited: it lasts even after the first task has been pruned. */
  public Idempotency forever() {
    return new Idempotency(
        wire.toBuilder()
            .clearDuration()
            .setWindow(io.kairos.api.v1.Idempotency.Window.FOREVER)
            .build());
  }

  /** Sets what happens to a task whose key is taken; {@link OnConflict#KEEP} by default. */
  public Idempotency onConflict(OnConflict instead) {
    return new Idempotency(
        wire.toBuilder()
            .setOnConflict(io.kairos.api.v1.Idempotency.OnConflict.valueOf(instead.name()))
            .build());
  }

  io.kairos.api.v1.Idempotency wire() {
    return wire;
  }
}
