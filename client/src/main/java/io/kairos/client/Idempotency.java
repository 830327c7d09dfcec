package io.kairos.client;

import java.time.Duration;

/**
 * Keeps a task from being scheduled twice: {@code Idempotency.key("order 7").forTime(ofDays(1))}.
 * Tasks of one handler with the same key are the same task while the window of the first lasts:
 * until it has ended, unless said otherwise.
 */
public final class Idempotency {
  private final io.kairos.api.v1.Idempotency wire;

  private Idempotency(io.kairos.api.v1.Idempotency wire) {
    this.wire = wire;
  }

  /** What becomes of a task whose key is taken. */
  public enum OnConflict {
    /** The first stays as it is, and is the answer. */
    KEEP,
    /** The first, while it waits, becomes what this one asks for, under its own id. */
    REPLACE,
    /** The call throws {@link TaskConflictException}. */
    ERROR
  }

  /**
   * Until the task has ended, keeping the first.
   *
   * @param key 1 to 256 characters, chosen by the application
   */
  public static Idempotency key(String key) {
    return new Idempotency(io.kairos.api.v1.Idempotency.newBuilder().setKey(key).build());
  }

  /** For so long after the first was accepted, whatever becomes of it. */
  public Idempotency forTime(Duration length) {
    return new Idempotency(
        wire.toBuilder().clearWindow().setDuration(Protos.duration(length)).build());
  }

  /** Also when the task has ended and is forgotten. */
  public Idempotency forever() {
    return new Idempotency(
        wire.toBuilder()
            .clearDuration()
            .setWindow(io.kairos.api.v1.Idempotency.Window.FOREVER)
            .build());
  }

  /** Instead of keeping the first. */
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
