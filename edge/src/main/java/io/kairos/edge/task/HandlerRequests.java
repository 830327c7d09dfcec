package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.require;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.util.FieldMaskUtil;
import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy.OnDead;
import io.kairos.api.v1.UpdateHandlerRequest;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads an update of a handler's settings. Fields that the update mask does not name keep their
 * value; named fields without a value get the default. Throws {@link InvalidField}.
 */
final class HandlerRequests {
  private static final String RETRY_POLICY = "retry_policy";
  private static final String MAX_ATTEMPTS = "retry_policy.max_attempts";
  private static final String INITIAL_BACKOFF = "retry_policy.initial_backoff";
  private static final String FACTOR = "retry_policy.factor";
  private static final String MAX_BACKOFF = "retry_policy.max_backoff";
  private static final String MAX_UNFINISHED = "max_unfinished";
  private static final String KEY_POLICY = "key_policy";
  private static final String MAX_RUNNING = "key_policy.max_running";
  private static final String ON_DEAD = "key_policy.on_dead";
  private static final String PER_SECOND = "key_policy.per_second";
  private static final String BURST = "key_policy.burst";
  private static final List<String> FIELDS =
      List.of(
          MAX_ATTEMPTS,
          INITIAL_BACKOFF,
          FACTOR,
          MAX_BACKOFF,
          MAX_UNFINISHED,
          MAX_RUNNING,
          ON_DEAD,
          PER_SECOND,
          BURST);

  private static final FieldMaskUtil.MergeOptions REPLACE =
      new FieldMaskUtil.MergeOptions()
          .setReplaceMessageFields(true)
          .setReplacePrimitiveFields(true);

  private final Handler wanted;
  private final Set<String> named;

  private HandlerRequests(Handler wanted, Set<String> named) {
    this.wanted = wanted;
    this.named = named;
  }

  static TaskHandler name(UpdateHandlerRequest request) {
    return RequestFields.handler("handler.name", request.getHandler().getName());
  }

  static UnaryOperator<StoredHandlerSettings> change(UpdateHandlerRequest request) {
    Handler wanted = request.getHandler();
    Set<String> named =
        request.hasUpdateMask() ? mask(request.getUpdateMask().getPathsList()) : given(wanted);
    require(!named.isEmpty(), "update_mask", "must name a field, or the handler must have one");
    require(
        !wanted.hasMaxUnfinished() || wanted.getMaxUnfinished() >= 0,
        "handler.max_unfinished",
        "must not be negative");
    HandlerRequests change = new HandlerRequests(wanted, named);
    change.checkKeyPolicy();
    return before ->
        new StoredHandlerSettings(
            change.retryPolicy(before.retryPolicy()),
            change.maxUnfinished(before.maxUnfinished()),
            change.keyPolicy(before.keyPolicy()));
  }

  private static Set<String> mask(List<String> paths) {
    Set<String> named = new HashSet<>();
    for (String path : paths) {
      String field = path.startsWith("handler.") ? path.substring("handler.".length()) : path;
      if (field.equals(RETRY_POLICY) || field.equals(KEY_POLICY)) {
        FIELDS.stream().filter(one -> one.startsWith(field + ".")).forEach(named::add);
      } else {
        require(
            FIELDS.contains(field),
            "update_mask",
            "must be of retry_policy, max_unfinished, key_policy and fields of these");
        named.add(field);
      }
    }
    return named;
  }

  private static Set<String> given(Handler wanted) {
    Set<String> given = new HashSet<>();
    for (FieldDescriptor field : wanted.getAllFields().keySet()) {
      given.add(field.getName());
      if (wanted.getField(field) instanceof Message part) {
        part.getAllFields()
            .keySet()
            .forEach(leaf -> given.add(field.getName() + "." + leaf.getName()));
      }
    }
    given.retainAll(FIELDS);
    return given;
  }

  private RetryPolicy retryPolicy(RetryPolicy before) {
    if (named.stream().noneMatch(field -> field.startsWith(RETRY_POLICY))) {
      return before;
    }
    Handler.Builder changed = Handler.newBuilder().setRetryPolicy(TaskAnswers.policy(before));
    FieldMask.Builder mask = FieldMask.newBuilder();
    named.stream().filter(field -> field.startsWith(RETRY_POLICY)).forEach(mask::addPaths);
    FieldMaskUtil.merge(mask.build(), wanted, changed, REPLACE);
    try {
      return TaskRequests.policy(changed.getRetryPolicy());
    } catch (InvalidField e) {
      throw e.in("handler");
    }
  }

  private @Nullable Long maxUnfinished(@Nullable Long before) {
    if (!named.contains(MAX_UNFINISHED)) {
      return before;
    }
    return wanted.hasMaxUnfinished() ? (Long) wanted.getMaxUnfinished() : null;
  }

  private void checkKeyPolicy() {
    io.kairos.api.v1.KeyPolicy given = wanted.getKeyPolicy();
    require(
        !given.hasMaxRunning() || given.getMaxRunning() >= 1,
        "handler." + MAX_RUNNING,
        "must be at least 1");
    require(
        given.getOnDead() != OnDead.UNRECOGNIZED, "handler." + ON_DEAD, "must be PARK or BLOCK");
    RequestFields.rate(
        "handler.key_policy",
        given.hasPerSecond(),
        given.getPerSecond(),
        given.hasBurst(),
        given.getBurst());
  }

  private OrderingKeyPolicy keyPolicy(OrderingKeyPolicy before) {
    if (named.stream().noneMatch(field -> field.startsWith(KEY_POLICY))) {
      return before;
    }
    return new OrderingKeyPolicy(mode(before.mode()), rate(before.rate()));
  }

  private OrderingKeyPolicy.Mode mode(OrderingKeyPolicy.Mode before) {
    io.kairos.api.v1.KeyPolicy given = wanted.getKeyPolicy();
    boolean wasParallel = before instanceof Parallel;
    boolean isParallel = named.contains(MAX_RUNNING) ? given.hasMaxRunning() : wasParallel;
    if (isParallel) {
      require(
          !named.contains(ON_DEAD) || given.getOnDead() != OnDead.BLOCK,
          "handler." + ON_DEAD,
          "must not be BLOCK where tasks of a key run beside each other");
      return named.contains(MAX_RUNNING) ? new Parallel(given.getMaxRunning()) : before;
    }
    if (named.contains(ON_DEAD)) {
      return new Ordered(
          given.getOnDead() == OnDead.BLOCK
              ? OrderingKeyPolicy.OnDead.BLOCK
              : OrderingKeyPolicy.OnDead.PARK);
    }
    return wasParallel ? OrderingKeyPolicy.DEFAULT.mode() : before;
  }

  private @Nullable Rate rate(@Nullable Rate before) {
    io.kairos.api.v1.KeyPolicy given = wanted.getKeyPolicy();
    Double perSecond = before == null ? null : (Double) before.perSecond();
    if (named.contains(PER_SECOND)) {
      perSecond = given.hasPerSecond() ? (Double) given.getPerSecond() : null;
    }
    if (perSecond == null) {
      require(!given.hasBurst() || !named.contains(BURST), "handler." + BURST, "needs per_second");
      return null;
    }
    if (named.contains(BURST) && given.hasBurst()) {
      return new Rate(perSecond, given.getBurst());
    }
    return before == null || named.contains(BURST)
        ? new Rate(perSecond, (int) Math.ceil(perSecond))
        : new Rate(perSecond, before.burst());
  }
}
