package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.FieldMask;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy;
import io.kairos.api.v1.KeyPolicy.OnDead;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.UpdateHandlerRequest;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A change of a handler's settings: {@code HandlerChange.of("mail").maxAttempts(5)}. Settings that
 * are not named stay as they are; null resets a setting to its default. Not thread-safe.
 */
public final class HandlerChange {
  private final Handler.Builder handler;
  private final RetryPolicy.Builder retry = RetryPolicy.newBuilder();
  private final KeyPolicy.Builder keys = KeyPolicy.newBuilder();
  private final FieldMask.Builder mask = FieldMask.newBuilder();

  private HandlerChange(String name) {
    handler = Handler.newBuilder().setName(name);
  }

  public static HandlerChange of(String handler) {
    return new HandlerChange(handler);
  }

  /** Maximum number of attempts, including the first. */
  public HandlerChange maxAttempts(@Nullable Integer attempts) {
    return set("retry_policy.max_attempts", attempts, retry::setMaxAttempts);
  }

  /** The wait before the second attempt. */
  public HandlerChange initialBackoff(@Nullable Duration wait) {
    return set(
        "retry_policy.initial_backoff",
        wait,
        length -> retry.setInitialBackoff(ProtoTime.of(length)));
  }

  /** Factor by which each wait exceeds the one before, at least 1. */
  public HandlerChange backoffFactor(@Nullable Double factor) {
    return set("retry_policy.factor", factor, retry::setFactor);
  }

  /** Maximum wait between two attempts. */
  public HandlerChange maxBackoff(@Nullable Duration wait) {
    return set(
        "retry_policy.max_backoff", wait, length -> retry.setMaxBackoff(ProtoTime.of(length)));
  }

  /** Quota: maximum number of unfinished tasks; null for no quota. */
  public HandlerChange maxUnfinished(@Nullable Long tasks) {
    return set("max_unfinished", tasks, handler::setMaxUnfinished);
  }

  /**
   * Maximum number of concurrent tasks with the same ordering key, in no order; null for one at a
   * time in the order of their due times.
   */
  public HandlerChange keyMaxRunning(@Nullable Integer atATime) {
    return set("key_policy.max_running", atATime, keys::setMaxRunning);
  }

  /**
   * True to block an ordered key when its first unfinished task has failed for good; false to go on
   * with the next task.
   */
  public HandlerChange blocksWhenDead(boolean blocks) {
    mask.addPaths("key_policy.on_dead");
    keys.setOnDead(blocks ? OnDead.BLOCK : OnDead.PARK);
    return this;
  }

  /** Rate limit: tasks with the same ordering key that begin per second; null for no limit. */
  public HandlerChange keyPerSecond(@Nullable Double rate) {
    return set("key_policy.per_second", rate, keys::setPerSecond);
  }

  /**
   * Burst: tasks with the same ordering key that may begin at once after a pause; null for the rate
   * per second.
   */
  public HandlerChange keyBurst(@Nullable Integer tasks) {
    return set("key_policy.burst", tasks, keys::setBurst);
  }

  private <T> HandlerChange set(String field, @Nullable T value, Consumer<T> setting) {
    mask.addPaths(field);
    ifGiven(value, setting);
    return this;
  }

  /** True when nothing was named. */
  public boolean isEmpty() {
    return mask.getPathsCount() == 0;
  }

  UpdateHandlerRequest wire() {
    return UpdateHandlerRequest.newBuilder()
        .setHandler(handler.setRetryPolicy(retry).setKeyPolicy(keys))
        .setUpdateMask(mask)
        .build();
  }
}
