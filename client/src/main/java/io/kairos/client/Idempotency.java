package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.client.error.TaskConflictException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;

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

  /** A period of the calendar; a week begins on Monday. */
  public enum PeriodUnit {
    MINUTE,
    HOUR,
    DAY,
    WEEK,
    MONTH
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
    return new Idempotency(withoutWindow().setDuration(ProtoTime.of(length)).build());
  }

  /**
   * Lets the key stand for one task in each period of UTC; see {@link #oncePer(PeriodUnit,
   * ZoneId)}.
   */
  public Idempotency oncePer(PeriodUnit unit) {
    return oncePer(unit, ZoneOffset.UTC);
  }

  /**
   * Lets the key stand for one task in each period of the calendar, the one in which the task is
   * due.
   *
   * @param zone in which days begin
   */
  public Idempotency oncePer(PeriodUnit unit, ZoneId zone) {
    return new Idempotency(
        withoutWindow()
            .setPeriod(
                io.kairos.api.v1.Idempotency.Period.newBuilder()
                    .setUnit(io.kairos.api.v1.Idempotency.Period.Unit.valueOf(unit.name()))
                    .setTimeZone(zone.getId()))
            .build());
  }

  /** Sets the window to the time while the first task waits: until it has ended or is performed. */
  public Idempotency whileWaiting() {
    return new Idempotency(
        withoutWindow().setWindow(io.kairos.api.v1.Idempotency.Window.WHILE_WAITING).build());
  }

  /**
   * Debounces: while the task waits, each new request replaces its content and its due time, which
   * is at most {@code maxWait} after the first request was accepted. The delay is that of the
   * requests. A request that comes while the task is performed makes another task.
   */
  public Idempotency debounce(Duration maxWait) {
    return whileWaiting().onConflict(OnConflict.REPLACE).maxWait(maxWait);
  }

  /** Bounds the due time of a task that is replaced, counted from the first request. */
  public Idempotency maxWait(Duration maxWait) {
    return new Idempotency(wire.toBuilder().setMaxWait(ProtoTime.of(maxWait)).build());
  }

  /** Makes the window unlimited: it lasts even after the first task has been pruned. */
  public Idempotency forever() {
    return new Idempotency(
        withoutWindow().setWindow(io.kairos.api.v1.Idempotency.Window.FOREVER).build());
  }

  /** Sets what happens to a task whose key is taken; {@link OnConflict#KEEP} by default. */
  public Idempotency onConflict(OnConflict instead) {
    return new Idempotency(
        wire.toBuilder()
            .setOnConflict(io.kairos.api.v1.Idempotency.OnConflict.valueOf(instead.name()))
            .build());
  }

  private io.kairos.api.v1.Idempotency.Builder withoutWindow() {
    return wire.toBuilder().clearWindow().clearDuration().clearPeriod();
  }

  io.kairos.api.v1.Idempotency wire() {
    return wire;
  }
}
