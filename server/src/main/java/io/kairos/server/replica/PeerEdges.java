package io.kairos.server.replica;

import static java.util.Objects.requireNonNull;

import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.CronServiceGrpc.CronServiceBlockingStub;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.GetTrailRequest;
import io.kairos.api.v1.GetTrailResponse;
import io.kairos.api.v1.Replica;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.DivergenceSearch;
import io.kairos.engine.cron.RequestTrail;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.server.effect.EdgeAccess;
import io.kairos.server.effect.EdgeClients;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the other replicas' HTTP edges: checks their identity and reads their trails. Only
 * messages for operators depend on the answers, never a decision. Blocks.
 */
public final class PeerEdges implements DivergenceSearch.Peers {
  private static final Logger LOG = LoggerFactory.getLogger(PeerEdges.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(5);

  private final String cluster;
  private final Map<ReplicaId, String> places = new TreeMap<>();
  private final Map<ReplicaId, CronServiceBlockingStub> stubs = new TreeMap<>();

  /**
   * @param edges URLs of all replicas in the order of their numbers; empty when they are not known
   * @param token a token with the role read; empty if none is needed
   */
  public PeerEdges(
      String cluster,
      ReplicaId self,
      List<URI> edges,
      Optional<String> token,
      EdgeClients clients) {
    this.cluster = cluster;
    for (int number = 0; number < edges.size(); number++) {
      ReplicaId replica = new ReplicaId(number);
      if (!replica.equals(self)) {
        places.put(replica, requireNonNull(edges.get(number).getAuthority()));
        stubs.put(
            replica,
            clients.stub(
                new EdgeAccess(edges.get(number), token),
                CronServiceBlockingStub.class,
                ANSWER_WITHIN));
      }
    }
  }

  /**
   * The step that checks the identities for as long as the replica runs.
   *
   * @param told gets the mismatches at each round, one sentence each
   */
  public Step step(Consumer<List<String>> told) {
    AtomicReference<List<String>> before = new AtomicReference<>(List.of());
    return Step.of(
        "peers",
        () -> {
          List<String> misfits = misfits();
          if (!misfits.equals(before.getAndSet(misfits))) {
            misfits.forEach(misfit -> LOG.atError().log(misfit));
          }
          told.accept(misfits);
          return NextRound.after(LOOKS_EVERY);
        });
  }

  private List<String> misfits() {
    List<String> misfits = new ArrayList<>();
    stubs.forEach((replica, stub) -> {
      try {
        misfit(replica, stub.getReplica(GetReplicaRequest.getDefaultInstance()))
            .ifPresent(misfits::add);
      } catch (StatusRuntimeException e) { // the replica may be down, which is no mismatch
        LOG.atDebug().addKeyValue("replica", replica).setCause(e).log("does not answer");
      }
    });
    return misfits;
  }

  private Optional<String> misfit(ReplicaId replica, Replica found) {
    return found.getCluster().equals(cluster) && found.getNumber() == replica.number()
        ? Optional.empty()
        : Optional.of(
            "at %s should be %s of cluster %s, and is replica %d of cluster %s: correct replica.edges, or replica.id and replica.cluster there"
                .formatted(
                    places.get(replica), replica, cluster, found.getNumber(), found.getCluster()));
  }

  @Override
  public List<RequestTrail.Step> trail(ReplicaId replica) {
    CronServiceBlockingStub stub = stubs.get(replica);
    if (stub == null) {
      return List.of();
    }
    try {
      return stub.getTrail(GetTrailRequest.getDefaultInstance()).getStepsList().stream()
          .map(PeerEdges::step)
          .toList();
    } catch (StatusRuntimeException e) { // another replica may answer
      LOG.atInfo().addKeyValue("replica", replica).setCause(e).log("does not tell its trail");
      return List.of();
    }
  }

  private static RequestTrail.Step step(GetTrailResponse.Step step) {
    RequestTrail.WriteSource place =
        step.hasComponent()
            ? new RequestTrail.WriteSource.Entry(
                new ComponentId(step.getComponent()), step.getPosition())
            : new RequestTrail.WriteSource.Rest();
    return new RequestTrail.Step(step.getSequence(), place, step.getWrites());
  }
}
