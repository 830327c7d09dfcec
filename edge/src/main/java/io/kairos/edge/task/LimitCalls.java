package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;
import static io.kairos.api.v1.LimitServiceGrpc.getGetLimitMethod;
import static io.kairos.api.v1.LimitServiceGrpc.getListLimitUsesMethod;
import static io.kairos.api.v1.LimitServiceGrpc.getListLimitsMethod;
import static io.kairos.api.v1.LimitServiceGrpc.getRemoveLimitMethod;
import static io.kairos.api.v1.LimitServiceGrpc.getServiceDescriptor;
import static io.kairos.api.v1.LimitServiceGrpc.getSetLimitMethod;
import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.kairos.api.v1.GetLimitRequest;
import io.kairos.api.v1.KeyLimit;
import io.kairos.api.v1.LimitUse;
import io.kairos.api.v1.ListLimitUsesRequest;
import io.kairos.api.v1.ListLimitUsesResponse;
import io.kairos.api.v1.ListLimitsRequest;
import io.kairos.api.v1.ListLimitsResponse;
import io.kairos.api.v1.RemoveLimitRequest;
import io.kairos.api.v1.RemoveLimitResponse;
import io.kairos.api.v1.SetLimitRequest;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.KeyLimitOperations;
import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.kairos.engine.task.port.operator.LimitNameUse;
import java.util.List;
import java.util.Optional;

/**
 * Serves operators' calls about limits by key. Every call is checked, and waits for the store, off
 * the connections' threads.
 */
public final class LimitCalls implements BindableService {
  private static final String NAME = "name";

  private final ReadyNode node;
  private final StoreCalls store;

  public LimitCalls(ReadyNode node, StoreCalls store) {
    this.node = node;
    this.store = store;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(getSetLimitMethod(), store.unary(this::set))
        .addMethod(getGetLimitMethod(), store.unary(this::get))
        .addMethod(getListLimitsMethod(), store.unary(this::list))
        .addMethod(getListLimitUsesMethod(), store.unary(this::uses))
        .addMethod(getRemoveLimitMethod(), store.unary(this::remove))
        .build();
  }

  private KeyLimitOperations limits() {
    return node.get().queues().keyLimits();
  }

  private static LimitPattern pattern(String given) {
    return reading(NAME, "must have " + LimitPattern.RULE, () -> new LimitPattern(given));
  }

  private KeyLimit set(SetLimitRequest request) {
    LimitPattern pattern = pattern(request.getName());
    require(
        request.hasMaxRunning() || request.hasPerSecond(),
        "max_running",
        "must be given, or per_second");
    require(request.getMaxRunning() >= 0, "max_running", "must not be negative");
    require(
        !request.hasPerSecond()
            || (request.getPerSecond() > 0
                && request.getPerSecond() <= RequestFields.MOST_PER_SECOND),
        "per_second",
        "must be greater than 0 and at most 1,000,000");
    require(!request.hasBurst() || request.getBurst() >= 1, "burst", "must be at least 1");
    require(!request.hasBurst() || request.hasPerSecond(), "burst", "needs per_second");
    TaskQueueLimit limit =
        new TaskQueueLimit(
            request.hasMaxRunning() ? (Integer) request.getMaxRunning() : null,
            request.hasPerSecond() ? (Double) request.getPerSecond() : null,
            request.hasBurst() ? (Integer) request.getBurst() : null);
    switch (limits().setKeyLimit(pattern, limit)) {
      case KeyLimitChange.Done() -> {}
      case KeyLimitChange.OlderNodes(int nodes) ->
          throw Refusals.notInState(
              "name: "
                  + nodes
                  + " nodes run by a build that does not know limits by key; set the first limit when the last"
                  + " of them has stopped");
      case KeyLimitChange.TooMany() ->
          throw Refusals.full(
              "name: there are 1,000 limits, and no more may be set: remove one, or use a pattern");
    }
    KeyLimit asSet = answer(new KeyLimitUse(pattern, limit, 0, 0, 0));
    try {
      return find(pattern).orElse(asSet); // when it was removed meanwhile
    } catch (StoreUnavailable e) { // only the use is not known
      return asSet;
    }
  }

  private KeyLimit get(GetLimitRequest request) {
    return find(pattern(request.getName())).orElseThrow(LimitCalls::unknown);
  }

  private Optional<KeyLimit> find(LimitPattern pattern) {
    return limits().keyLimit(pattern).map(LimitCalls::answer);
  }

  private static RuntimeException unknown() {
    return Refusals.notFound("name: there is no limit of just this name or pattern");
  }

  private ListLimitsResponse list(ListLimitsRequest request) {
    ListLimitsResponse.Builder answer = ListLimitsResponse.newBuilder();
    limits().keyLimits().forEach(use -> answer.addLimits(answer(use)));
    return answer.build();
  }

  private ListLimitUsesResponse uses(ListLimitUsesRequest request) {
    LimitPattern pattern = pattern(request.getName());
    int size = pageSize(request.getPageSize());
    String token = request.getPageToken();
    LimitName after =
        token.isEmpty()
            ? null
            : reading("page_token", "must come from the former answer", () -> new LimitName(token));
    List<LimitNameUse> found = limits().keyLimitUses(pattern, after, size + 1);
    List<LimitNameUse> shown = found.subList(0, Math.min(size, found.size()));
    ListLimitUsesResponse.Builder answer = ListLimitUsesResponse.newBuilder();
    if (found.size() > shown.size()) {
      answer.setNextPageToken(shown.getLast().name().value());
    }
    shown.forEach(use -> answer.addUses(answer(use)));
    return answer.build();
  }

  private RemoveLimitResponse remove(RemoveLimitRequest request) {
    if (!limits().removeKeyLimit(pattern(request.getName()))) {
      throw unknown();
    }
    return RemoveLimitResponse.getDefaultInstance();
  }

  private static KeyLimit answer(KeyLimitUse use) {
    KeyLimit.Builder answer =
        KeyLimit.newBuilder()
            .setName(use.pattern().value())
            .setRunning(use.running())
            .setWaiting(use.waiting())
            .setNames(use.names());
    ifGiven(use.limit().maxRunning(), answer::setMaxRunning);
    ifGiven(use.limit().perSecond(), answer::setPerSecond);
    ifGiven(use.limit().burst(), answer::setBurst);
    return answer.build();
  }

  private static LimitUse answer(LimitNameUse use) {
    LimitUse.Builder answer =
        LimitUse.newBuilder()
            .setName(use.name().value())
            .setRunning(use.running())
            .setWaiting(use.waiting());
    ifGiven(use.tokens(), answer::setTokens);
    return answer.build();
  }
}
