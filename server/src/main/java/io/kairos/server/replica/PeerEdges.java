package io.kairos.server.replica;

import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.CronServiceGrpc.CronServiceBlockingStub;
import io.kairos.api.v1.GetReplicaRequest;
import io.kairos.api.v1.GetTrailRequest;
import io.kairos.api.v1.GetTrailResponse;
import io.kairos.api.v1.Replica;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.Parting;
import io.kairos.engine.cron.Trail;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.server.effect.EdgeAccess;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP edges of the other replicas: whether who answers there is who should, and what it has
 * written. Nothing that is decided rests on their answers. Blocks.
 */
public final class PeerEdges implements Parting.Peers {
  private static final Logger LOG = LoggerFactory.getLogger(PeerEdges.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(5);

  private final String cluster;
  private final Map<ReplicaId, String> places = new TreeMap<>();
  private final Map<ReplicaId, CronServiceBlockingStub> stubs = new TreeMap<>();

  /**
   * @param edges addresses of all replicas in the order of their numbers; empty when they are not
   *     known
   * @param token with the role read; empty where none is needed
   */
  public PeerEdges(String cluster, ReplicaId self, List<String> edges, Optional<String> token) {
    this.cluster = cluster;
    for (int number = 0; number < edges.size(); number++) {
      ReplicaId replica = new ReplicaId(number);
      if (!replica.equals(self)) {
        places.put(replica, edges.get(number));
        stubs.put(
            replica,
            new EdgeAccess(URI.create("http://" + edges.get(number)), token)
                .stub(CronServiceBlockingStub.class, ANSWER_WITHIN));
      }
    }
  }

  /**
   * To be run for as long as the replica runs.
   *
   * @param told at each round what does not fit, one sentence each
   */
  public Step step(Consumer<List<String>> told) {
    return new Step() {
      private List<String> before = List.of();

      @Override
      public String name() {
        return "peers";
      }

      @Override
      public Next runOnce() {
        List<String> misfits = misfits();
        if (!misfits.equals(before)) {
          misfits.forEach(misfit -> LOG.atError().log(misfit));
          before = misfits;
        }
        told.accept(misfits);
        return Next.after(LOOKS_EVERY);
      }
    };
  }

  private List<String> misfits() {
    List<String> misfits = new ArrayList<>();
    stubs.forEach((replica, stub) -> {
      try {
        misfit(replica, stub.getReplica(GetReplicaRequest.getDefaultInstance()))
            .ifPresent(misfits::add);
      } catch (StatusRuntimeException e) { // it may be down: nothing is known
        LOG.atDebug().addKeyValue("replica", replica).setCause(e).log("does not answer");
      }
    });
    return misfits;
  }

  private Optional<String> misfit(ReplicaId replica, Replica found) {
    return found.getCluster().equals(cluster) && found.getSelf() == replica.number()
        ? Optional.empty()
        : Optional.of(
            "at %s should be %s of cluster %s, and is replica %d of cluster %s: correct replica.edges, or replica.id and replica.cluster there"
                .formatted(
                    places.get(replica), replica, cluster, found.getSelf(), found.getCluster()));
  }

  @Override
  public List<Trail.Step> trail(ReplicaId replica) {
    CronServiceBlockingStub stub = stubs.get(replica);
    if (stub == null) {
      return List.of();
    }
    try {
      return stub.getTrail(GetTrailRequest.getDefaultInstance()).getStepsList().stream()
          .map(PeerEdges::step)
          .toList();
    } catch (StatusRuntimeException e) { // another may answer
      LOG.atInfo().addKeyValue("replica", replica).setCause(e).log("does not tell its trail");
      return List.of();
    }
  }

  private static Trail.Step step(GetTrailResponse.Step step) {
    Trail.Place place =
        step.hasComponent()
            ? new Trail.Place.Entry(new ComponentId(step.getComponent()), step.getPosition())
            : new Trail.Place.Rest();
    return new Trail.Step(step.getSequence(), place, step.getWrites());
  }
}
