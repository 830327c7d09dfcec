package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.refusal.InvalidField.within;

import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy;
import io.kairos.api.v1.UpdateHandlerRequest;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads an update of a handler's settings. Fields that the update mask does not name keep their
 * value; named fields without a value get the default. Throws {@link InvalidField}.
 */
final class HandlerRequests {
  private static final String MAX_RUNNING = "key_policy.max_running";
  private static final String ON_DEAD = "key_policy.on_dead";
  private static final String BURST = "key_policy.burst";
  private static final List<String> FIELDS =
      List.of(
          "retry_policy.max_attempts",
          "retry_policy.initial_backoff",
          "retry_policy.factor",
          "retry_policy.max_backoff",
          "max_unfinished",
          MAX_RUNNING,
          ON_DEAD,
          "key_policy.per_second",
          BURST);

  private HandlerRequests() {}

  static TaskHandler name(UpdateHandlerRequest request) {
    return RequestFields.handler("handler.name", request.getHandler().getName());
  }

  static UnaryOperator<StoredHandlerSettings> change(UpdateHandlerRequest request) {
    Handler given = request.getHandler();
    FieldUpdate update =
        FieldUpdate.of(
            "handler",
            given,
            request.hasUpdateMask() ? request.getUpdateMask() : null,
            FIELDS,
            "must be of retry_policy, max_unfinished, key_policy and fields of these",
            "must name a field, or the handler must have one");
    KeyPolicy keys = given.getKeyPolicy();
    require(given.getMaxUnfinished() >= 0, "handler.max_unfinished", "must not be negative");
    require(
        !keys.hasMaxRunning() || keys.getMaxRunning() >= 1,
        "handler." + MAX_RUNNING,
        "must be at least 1");
    require(
        keys.getOnDead() != KeyPolicy.OnDead.UNRECOGNIZED,
        "handler." + ON_DEAD,
        "must be PARK or BLOCK");
    RequestFields.rate(
        "handler.key_policy",
        keys.hasPerSecond(),
        keys.getPerSecond(),
        keys.hasBurst(),
        keys.getBurst());
    return before -> settings(update, update.into(QueueAnswers.settings(before)));
  }

  private static StoredHandlerSettings settings(FieldUpdate update, Handler.Builder after) {
    RetryPolicy retries = within("handler", () -> TaskRequests.policy(after.getRetryPolicy()));
    return new StoredHandlerSettings(
        retries,
        after.hasMaxUnfinished() ? (Long) after.getMaxUnfinished() : null,
        new OrderingKeyPolicy(
            mode(update, after.getKeyPolicy()), rate(update, after.getKeyPolicy())));
  }

  private static OrderingKeyPolicy.Mode mode(FieldUpdate update, KeyPolicy after) {
    if (after.hasMaxRunning()) {
      require(
          !update.names(ON_DEAD) || after.getOnDead() != KeyPolicy.OnDead.BLOCK,
          "handler." + ON_DEAD,
          "must not be BLOCK where tasks of a key run beside each other");
      return new Parallel(after.getMaxRunning());
    }
    return new Ordered(
        after.getOnDead() == KeyPolicy.OnDead.BLOCK
            ? OrderingKeyPolicy.OnDead.BLOCK
            : OrderingKeyPolicy.OnDead.PARK);
  }

  private static @Nullable Rate rate(FieldUpdate update, KeyPolicy after) {
    require(
        after.hasPerSecond() || !after.hasBurst() || !update.names(BURST),
        "handler." + BURST,
        "needs per_second");
    double perSecond = after.getPerSecond();
    int burst = after.hasBurst() ? after.getBurst() : (int) Math.ceil(perSecond);
    return after.hasPerSecond() ? new Rate(perSecond, burst) : null;
  }
}
