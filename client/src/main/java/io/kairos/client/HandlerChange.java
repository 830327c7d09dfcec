package io.kairos.client;

import com.google.protobuf.FieldMask;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy;
import io.kairos.api.v1.KeyPolicy.OnDead;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.UpdateHandlerRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is to be changed of a handler: {@code HandlerChange.of("mail").maxAttempts(5)}. What is not
 * named stays as it is; null stands for what is shipped. Not thread-safe.
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

  /** How often a task is tried, the first time counted. */
  public HandlerChange maxAttempts(@Nullable Integer attempts) {
    mask.addPaths("retry_policy.max_attempts");
    if (attempts != null) {
      retry.setMaxAttempts(attempts);
    }
    return this;
  }

  /** The wait before the second attempt. */
  public HandlerChange initialBackoff(@Nullable Duration wait) {
    mask.addPaths("retry_policy.initial_backoff");
    if (wait != null) {
      retry.setInitialBackoff(Protos.duration(wait));
    }
    return this;
  }

  /** By which each wait is longer than the one before, at least 1. */
  public HandlerChange backoffFactor(@Nullable Double factor) {
    mask.addPaths("retry_policy.factor");
    if (factor != null) {
      retry.setFactor(factor);
    }
    return this;
  }

  /** The longest wait. */
  public HandlerChange maxBackoff(@Nullable Duration wait) {
    mask.addPaths("retry_policy.max_backoff");
    if (wait != null) {
      retry.setMaxBackoff(Protos.duration(wait));
    }
    return this;
  }

  /** How many unfinished tasks it may have; null for any number. */
  public HandlerChange maxUnfinished(@Nullable Long tasks) {
    mask.addPaths("max_unfinished");
    if (tasks != null) {
      handler.setMaxUnfinished(tasks);
    }
    return this;
  }

  /** Tasks of one key at a time, in no order; null for one at a time, in due order. */
  public HandlerChange keyMaxRunning(@Nullable Integer atATime) {
    mask.addPaths("key_policy.max_running");
    if (atATime != null) {
      keys.setMaxRunning(atATime);
    }
    return this;
  }

  /** Whether a head of an ordered key that has failed for good blocks it. */
  public HandlerChange blocksWhenDead(boolean blocks) {
    mask.addPaths("key_policy.on_dead");
    keys.setOnDead(blocks ? OnDead.BLOCK : OnDead.PARK);
    return this;
  }

  /** Tasks of one key that begin in a second; null for as many as can. */
  public HandlerChange keyPerSecond(@Nullable Double rate) {
    mask.addPaths("key_policy.per_second");
    if (rate != null) {
      keys.setPerSecond(rate);
    }
    return this;
  }

  /** Tasks of one key that begin at once after a pause; null for what a second allows. */
  public HandlerChange keyBurst(@Nullable Integer tasks) {
    mask.addPaths("key_policy.burst");
    if (tasks != null) {
      keys.setBurst(tasks);
    }
    return this;
  }

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
