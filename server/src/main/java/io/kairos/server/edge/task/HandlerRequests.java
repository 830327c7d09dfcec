package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.Handler;
import io.kairos.api.v1.KeyPolicy.OnDead;
import io.kairos.api.v1.UpdateHandlerRequest;
import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.KeyPolicy.Ordered;
import io.kairos.domain.task.KeyPolicy.Parallel;
import io.kairos.domain.task.KeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.task.port.HandlerSettings;
import io.kairos.server.edge.refusal.InvalidField;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is to hold for a handler, from what holds: fields that are not named stay as they are, named
 * ones without a value get what is shipped. Throws {@link InvalidField}.
 */
final class HandlerRequests {
  private static final double MOST_PER_SECOND = 1_000_000;
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

  private final Handler wanted;
  private final Set<String> named;

  private HandlerRequests(Handler wanted, Set<String> named) {
    this.wanted = wanted;
    this.named = named;
  }

  static TaskHandler name(UpdateHandlerRequest request) {
    return Fields.handler("handler.name", request.getHandler().getName());
  }

  static UnaryOperator<HandlerSettings> change(UpdateHandlerRequest request) {
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
        new HandlerSettings(
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
    io.kairos.api.v1.RetryPolicy retry = wanted.getRetryPolicy();
    add(given, MAX_ATTEMPTS, retry.getMaxAttempts() != 0);
    add(given, INITIAL_BACKOFF, retry.hasInitialBackoff());
    add(given, FACTOR, retry.getFactor() != 0);
    add(given, MAX_BACKOFF, retry.hasMaxBackoff());
    add(given, MAX_UNFINISHED, wanted.hasMaxUnfinished());
    io.kairos.api.v1.KeyPolicy keys = wanted.getKeyPolicy();
    add(given, MAX_RUNNING, keys.hasMaxRunning());
    add(given, ON_DEAD, keys.getOnDead() != OnDead.ON_DEAD_UNSPECIFIED);
    add(given, PER_SECOND, keys.hasPerSecond());
    add(given, BURST, keys.hasBurst());
    return given;
  }

  private static void add(Set<String> given, String field, boolean isGiven) {
    if (isGiven) {
      given.add(field);
    }
  }

  private RetryPolicy retryPolicy(RetryPolicy before) {
    if (named.stream().noneMatch(field -> field.startsWith(RETRY_POLICY))) {
      return before;
    }
    io.kairos.api.v1.RetryPolicy given = wanted.getRetryPolicy();
    RetryPolicy shipped = RetryPolicy.DEFAULT;
    int attempts = given.getMaxAttempts() == 0 ? shipped.maxAttempts() : given.getMaxAttempts();
    double factor = given.getFactor() == 0 ? shipped.factor() : given.getFactor();
    Duration initial = before.initial();
    if (named.contains(INITIAL_BACKOFF)) {
      initial =
          given.hasInitialBackoff()
              ? backoff(INITIAL_BACKOFF, given.getInitialBackoff())
              : shipped.initial();
    }
    Duration max = before.max();
    if (named.contains(MAX_BACKOFF)) {
      max =
          given.hasMaxBackoff()
              ? backoff(MAX_BACKOFF, given.getMaxBackoff())
              : TaskRequests.longer(initial, shipped.max());
    }
    try {
      return new RetryPolicy(
          named.contains(MAX_ATTEMPTS) ? attempts : before.maxAttempts(),
          initial,
          named.contains(FACTOR) ? factor : before.factor(),
          max);
    } catch (IllegalArgumentException e) {
      throw new InvalidField("handler.retry_policy", String.valueOf(e.getMessage()));
    }
  }

  private static Duration backoff(String field, com.google.protobuf.Duration given) {
    return Fields.duration("handler." + field, given, RetryPolicy.LONGEST);
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
    require(
        !given.hasPerSecond()
            || (given.getPerSecond() > 0 && given.getPerSecond() <= MOST_PER_SECOND),
        "handler." + PER_SECOND,
        "must be greater than 0 and at most 1,000,000");
    require(!given.hasBurst() || given.getBurst() >= 1, "handler." + BURST, "must be at least 1");
  }

  private KeyPolicy keyPolicy(KeyPolicy before) {
    if (named.stream().noneMatch(field -> field.startsWith(KEY_POLICY))) {
      return before;
    }
    return new KeyPolicy(mode(before.mode()), rate(before.rate()));
  }

  private KeyPolicy.Mode mode(KeyPolicy.Mode before) {
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
          given.getOnDead() == OnDead.BLOCK ? KeyPolicy.OnDead.BLOCK : KeyPolicy.OnDead.PARK);
    }
    return wasParallel ? KeyPolicy.DEFAULT.mode() : before;
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
