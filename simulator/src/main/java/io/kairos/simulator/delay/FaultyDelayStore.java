package io.kairos.simulator.delay;

import static io.kairos.simulator.kernel.RareState.INTAKE_COMMIT_UNKNOWN;
import static io.kairos.simulator.kernel.RareState.INTAKE_SUPERSEDED;
import static io.kairos.simulator.kernel.RareState.OUTCOME_ADOPTED;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.simulator.kernel.PortCall;
import java.util.List;
import java.util.Set;

/**
 * The store as one process sees it. Every call takes virtual time, during which anything else may
 * happen, and may fail before, after or long before its effect. The model computes the effect.
 */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // found by their names
final class FaultyDelayStore {
  private FaultyDelayStore() {}

  static MessageStore messages(DelayNodeRun process, MessageStore store) {
    return process.faulty(
        MessageStore.class,
        store,
        new Object() {
          public IntakeResult accept(IntakeBatch batch) {
            if (!batch.claimed().isEmpty()) {
              process.stamps(batch.fence());
            }
            process.takesIn(batch);
            try {
              IntakeResult result =
                  process.call(new PortCall.Accept(batch), () -> store.accept(batch));
              process.takenIn(batch, result instanceof IntakeResult.Stored);
              process.reached(INTAKE_SUPERSEDED, result instanceof IntakeResult.Superseded);
              return result;
            } catch (StoreUnavailable e) {
              process.takenIn(batch, false);
              process.reached(INTAKE_COMMIT_UNKNOWN);
              throw e;
            }
          }

          public List<ClaimedMessage> claim(ClaimRequest request) {
            process.stamps(request.to());
            List<ClaimedMessage> claimed =
                process.call(new PortCall.Claim(request), () -> store.claim(request));
            process.checkBounds(request, claimed);
            return claimed;
          }

          public List<ClaimedMessage> takeOver(
              NodeId from, ClaimRequest request, long maybeFiredMicros) {
            process.stamps(request.to());
            List<ClaimedMessage> taken =
                process.call(
                    new PortCall.TakeOver(from, request),
                    () -> store.takeOver(from, request, maybeFiredMicros));
            process.checkBounds(request, taken);
            return taken;
          }

          public List<ClaimedMessage> delete(List<ClaimedMessage> fired) {
            return process.call(
                new PortCall.Delete(fired),
                () -> {
                  process.deletes(fired);
                  return store.delete(fired);
                });
          }

          public void defer(List<ClaimedMessage> held, long untilMicros) {
            process.run(new PortCall.Defer(held), () -> store.defer(held, untilMicros));
          }

          public List<LongHeldMessage> reset(List<LongHeldMessage> suspects) {
            return process.call(
                new PortCall.Reset(suspects),
                () -> {
                  process.world.storeRules.resets(process, suspects);
                  return store.reset(suspects);
                });
          }
        });
  }

  static AmendmentStore amendments(DelayNodeRun process, AmendmentStore store) {
    return process.faulty(
        AmendmentStore.class,
        store,
        new Object() {
          public long request(AmendRequest request) {
            return process.call(new PortCall.Request(request), () -> store.request(request));
          }

          public List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions) {
            return process.call(
                new PortCall.Decide(by, decisions), () -> store.decide(by, decisions));
          }

          public void adoptUntold(NodeId from, NodeId to, Set<RouteId> routes) {
            process.run(
                new PortCall.AdoptUntold(from, to),
                () -> {
                  process.reached(
                      OUTCOME_ADOPTED,
                      routes.stream().anyMatch(of -> !store.untold(from, of, 0, 1).isEmpty()));
                  store.adoptUntold(from, to, routes);
                });
          }
        });
  }
}
