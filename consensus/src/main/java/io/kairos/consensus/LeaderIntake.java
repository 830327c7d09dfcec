package io.kairos.consensus;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.TickBudget;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides at the leader which requests are ordered: no ticks of a replica beyond its budget,
 * nothing in the name of another replica, and no bytes that are no request. The sender of a refused
 * tick sends it again. Called by the threads of Ratis.
 */
final class LeaderIntake {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderIntake.class);

  /** Of {@link #refill}. */
  private static final int ROUNDS_PER_SECOND =
      Math.toIntExact(Duration.ofSeconds(1).dividedBy(RequestSubmissions.AGAIN_EVERY));

  private final ReplicaGroup cluster;
  private final TickBudget ticks;
  private final int ticksPerRound;

  /** Refusals that were logged: each is logged once. */
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  LeaderIntake(ReplicaGroup cluster, int ticksPerSecond) {
    this.cluster = cluster;
    this.ticks = new TickBudget(cluster, ticksPerSecond);
    this.ticksPerRound = ticksPerSecond / ROUNDS_PER_SECOND;
  }

  /** Called every {@link RequestSubmissions#AGAIN_EVERY} or later, on the log's thread. */
  void refill() {
    ticks.refill(ticksPerRound);
  }

  /** The reason for which a request is not ordered. */
  Optional<String> refusal(ByteBuffer request) {
    Optional<String> why =
        RequestEnvelope.decode(request)
            .map(this::refusal)
            .orElse(Optional.of("a request was not ordered, because it is none of a replica"));
    if (why.isPresent() && logged.add(why.get())) {
      LOG.atWarn().addKeyValue("why", why.get()).log("a leader refuses to order a request");
    }
    return why;
  }

  private Optional<String> refusal(RequestEnvelope request) {
    ReplicaId from = request.origin().replica();
    if (from == null || !cluster.has(from)) {
      return Optional.of("a request was not ordered, because it is none of a replica");
    }
    if (request.origin().client().isReserved() && !request.origin().client().belongsTo(from)) {
      return Optional.of(from + " sent a request in the name of another replica");
    }
    return ticks.take(from, request.origin().client(), request.command())
        ? Optional.empty()
        : Optional.of(from + " sends more ticks than replica.ticks-per-second");
  }
}
