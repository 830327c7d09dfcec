package io.kairos.simulator;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Overview;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.delay.port.Suspect;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The store as one process sees it: every call takes virtual time, during which anything else may
 * happen, and may fail before, after or long before it takes effect. What it does is the model's.
 */
final class SimStore implements MessageStore, AmendmentStore {
  private final DelayProcess process;
  private final MessageStore messages;
  private final AmendmentStore amendments;

  SimStore(DelayProcess process, Backend backend) {
    this.process = process;
    this.messages = backend.messages();
    this.amendments = backend.amendments();
  }

  private <T> T call(Operation operation, Supplier<T> effect) {
    return process.call(operation, effect);
  }

  private <T> T read(String name, Supplier<T> effect) {
    return process.call(new Operation.Other(name), effect);
  }

  @Override
  public RouteId route(String name) {
    return read("route", () -> messages.route(name));
  }

  @Override
  public Map<Integer, Long> positions(
      RouteId route, TopicId topic, Collection<Integer> partitions) {
    return read("positions", () -> messages.positions(route, topic, partitions));
  }

  @Override
  public IntakeResult accept(IntakeBatch batch) {
    if (!batch.claimed().isEmpty()) {
      process.stamps(batch.fence());
    }
    process.takesIn(batch);
    try {
      IntakeResult result = call(new Operation.Accept(batch), () -> messages.accept(batch));
      process.takenIn(batch, result instanceof IntakeResult.Stored);
      if (result instanceof IntakeResult.Superseded) {
        process.reached(RareState.INTAKE_SUPERSEDED);
      }
      return result;
    } catch (StoreUnavailable e) {
      process.takenIn(batch, false);
      process.reached(RareState.INTAKE_COMMIT_UNKNOWN);
      throw e;
    }
  }

  @Override
  public Set<MessageId> pending(RouteId route, Collection<MessageId> ids) {
    return read("pending", () -> messages.pending(route, ids));
  }

  @Override
  public List<Claimed> claim(ClaimRequest request) {
    process.stamps(request.to());
    List<Claimed> claimed = call(new Operation.Claim(request), () -> messages.claim(request));
    process.checkBounds(request, claimed);
    return claimed;
  }

  @Override
  public List<Claimed> takeOver(NodeId from, ClaimRequest request, long maybeFiredMicros) {
    process.stamps(request.to());
    List<Claimed> taken =
        call(
            new Operation.TakeOver(from, request),
            () -> messages.takeOver(from, request, maybeFiredMicros));
    process.checkBounds(request, taken);
    return taken;
  }

  @Override
  public List<Claimed> readBack(Fence fence) {
    return read("readBack", () -> messages.readBack(fence));
  }

  @Override
  public List<Claimed> delete(List<Claimed> fired) {
    return call(
        new Operation.Delete(fired),
        () -> {
          process.deletes(fired);
          return messages.delete(fired);
        });
  }

  @Override
  public void defer(List<Claimed> held, long untilMicros) {
    call(
        new Operation.Defer(held),
        () -> {
          messages.defer(held, untilMicros);
          return true;
        });
  }

  @Override
  public List<Suspect> overheld(Set<RouteId> routes, Duration holdTime, int limit) {
    return read("overheld", () -> messages.overheld(routes, holdTime, limit));
  }

  @Override
  public List<Suspect> reset(List<Suspect> suspects) {
    return call(new Operation.Reset(suspects), () -> messages.reset(suspects));
  }

  @Override
  public Overview overview(Set<RouteId> routes) {
    return read("overview", () -> messages.overview(routes));
  }

  @Override
  public long request(AmendRequest request) {
    return call(new Operation.Request(request), () -> amendments.request(request));
  }

  @Override
  public Optional<AmendmentOutcome> outcome(long number) {
    return read("outcome", () -> amendments.outcome(number));
  }

  @Override
  public List<PendingAmendment> undecided(NodeId holder, int limit) {
    return read("undecided", () -> amendments.undecided(holder, limit));
  }

  @Override
  public List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions) {
    return call(new Operation.Decide(by, decisions), () -> amendments.decide(by, decisions));
  }

  @Override
  public List<AmendmentResult> untold(
      NodeId decidedBy, RouteId route, long afterNumber, int limit) {
    return read("untold", () -> amendments.untold(decidedBy, route, afterNumber, limit));
  }

  @Override
  public void told(Collection<Long> numbers) {
    List<Long> copy = List.copyOf(numbers);
    read(
        "told",
        () -> {
          amendments.told(copy);
          return true;
        });
  }

  @Override
  public void adoptUntold(NodeId from, NodeId to, Set<RouteId> routes) {
    call(
        new Operation.AdoptUntold(from, to),
        () -> {
          if (routes.stream().anyMatch(of -> !amendments.untold(from, of, 0, 1).isEmpty())) {
            process.reached(RareState.OUTCOME_ADOPTED);
          }
          amendments.adoptUntold(from, to, routes);
          return true;
        });
  }

  /** The three ports of what lies behind. */
  record Backend(MessageStore messages, AmendmentStore amendments, LivenessStore liveness) {}
}
