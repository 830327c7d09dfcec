package io.kairos.model.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.ReplyTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The amendments of {@link ModelDelayStore}: undecided ones in the order of their numbers, and
 * outcomes until they are told. Not thread-safe: its owner locks.
 */
final class ModelAmendments {
  /** How long the outcome for a caller who never asks is kept. */
  private static final Duration UNREAD_KEPT_FOR = Duration.ofHours(1);

  record Undecided(long number, AmendRequest request) {
    boolean isFor(RouteId route, MessageId id) {
      return request.route().equals(route) && request.id().equals(id);
    }
  }

  private record Decided(
      long number,
      AmendRequest request,
      AmendmentOutcome outcome,
      @Nullable NodeId by,
      Instant at) {}

  private final DelayStoreObserver observer;
  private final TreeMap<Long, Undecided> undecided = new TreeMap<>();
  private final TreeMap<Long, Decided> decided = new TreeMap<>();
  private long lastNumber;

  ModelAmendments(DelayStoreObserver observer) {
    this.observer = observer;
  }

  long addUndecided(AmendRequest request) {
    long number = ++lastNumber;
    undecided.put(number, new Undecided(number, request));
    observer.undecided(number, request);
    return number;
  }

  long addDecided(
      AmendRequest request, AmendmentOutcome outcome, @Nullable NodeId by, Instant now) {
    long number = ++lastNumber;
    decided.put(number, new Decided(number, request, outcome, by, now));
    observer.decided(number, request, outcome);
    return number;
  }

  Collection<Undecided> undecided() {
    return undecided.values();
  }

  List<Undecided> undecidedOf(RouteId route, MessageId id) {
    return undecided.values().stream().filter(one -> one.isFor(route, id)).toList();
  }

  void decide(long number, AmendmentOutcome outcome, NodeId by, Instant now) {
    Undecided one = Objects.requireNonNull(undecided.remove(number));
    decided.put(number, new Decided(number, one.request(), outcome, by, now));
    observer.decided(number, one.request(), outcome);
  }

  Optional<AmendmentOutcome> outcome(long number) {
    return Optional.ofNullable(decided.get(number)).map(Decided::outcome);
  }

  boolean hasUntold(NodeId by) {
    return decided.values().stream()
        .anyMatch(
            one -> by.equals(one.by()) && one.request().replyTo() instanceof ReplyTo.ResultsTopic);
  }

  List<AmendmentResult> untold(NodeId by, RouteId route, long afterNumber, int limit) {
    List<AmendmentResult> results = new ArrayList<>();
    for (Decided one : decided.tailMap(afterNumber, false).values()) {
      if (results.size() < limit
          && by.equals(one.by())
          && route.equals(one.request().route())
          && one.request().replyTo() instanceof ReplyTo.ResultsTopic replyTo) {
        AmendRequest request = one.request();
        results.add(
            new AmendmentResult(
                one.number(),
                request.route(),
                request.id(),
                request.amendment(),
                replyTo,
                one.outcome()));
      }
    }
    return results;
  }

  void forget(Collection<Long> numbers) {
    decided.keySet().removeAll(numbers);
  }

  void adopt(NodeId from, NodeId to, Set<RouteId> routes) {
    decided.replaceAll((_, one) ->
        from.equals(one.by()) && routes.contains(one.request().route())
            ? new Decided(one.number(), one.request(), one.outcome(), to, one.at())
            : one);
  }

  void forgetUnread(Instant now) {
    Instant oldest = now.minus(UNREAD_KEPT_FOR);
    decided
        .values()
        .removeIf(
            one -> one.request().replyTo() instanceof ReplyTo.Caller && one.at().isBefore(oldest));
  }
}
