package io.kairos.server.replica;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.server.edge.ProcessView;
import io.kairos.server.edge.cron.ReplicaFacts;
import io.kairos.server.observe.Turns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says in words how a replica is. Thread-safe. */
public final class ReplicaSigns implements ProcessView {
  private final String version;
  private final Turns turns;
  private final Supplier<ReplicaFacts> facts;
  private volatile String phase = "the replica is starting";
  private volatile @Nullable String dead;
  private volatile List<String> told = List.of();

  public ReplicaSigns(String version, Turns turns, Supplier<ReplicaFacts> facts) {
    this.version = version;
    this.turns = turns;
    this.facts = facts;
  }

  /** It has started. */
  public void runs() {
    phase = "";
  }

  public void stops() {
    phase = "the replica is stopping";
  }

  /** What it cannot do without has ended. */
  public void dies(String why) {
    dead = why;
  }

  /** What the other replicas say that does not fit. */
  public void isTold(List<String> misfits) {
    told = List.copyOf(misfits);
  }

  @Override
  public String greeting() {
    ReplicaFacts known = facts.get();
    return """
    Kairos: a replica of a replicated cron.

    version %s, %s

    /v1/replica       this replica and the others
    /v1/cron/tables   tables, /v1/cron/entries their entries, by REST and JSON; the same by gRPC
    /metrics          what the replica does, for Prometheus
    /healthz          200 while the process is healthy
    /readyz           200 while requests can be expected to be executed, else why not
    """
        .formatted(version, known.self() + " of cluster " + known.cluster());
  }

  @Override
  public List<String> ailments() {
    List<String> ailments = new ArrayList<>();
    String died = dead;
    if (died != null) {
      ailments.add("the replica is broken and ends: " + died);
    }
    ailments.addAll(turns.ailments());
    return ailments;
  }

  @Override
  public List<String> obstacles() {
    List<String> obstacles = new ArrayList<>(ailments());
    if (!phase.isEmpty()) {
      obstacles.add(phase);
    }
    if (facts.get().leader() == null) {
      obstacles.add(
          "no leader is known: fewer than half of the replicas reach each other, or those at replica.peers are of another cluster");
    }
    obstacles.addAll(told);
    return obstacles;
  }

  @Override
  public Map<String, Object> details() {
    ReplicaFacts now = facts.get();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("cluster", now.cluster());
    details.put("replica", now.self().number());
    ReplicaId leader = now.leader();
    if (leader != null) {
      details.put("leader", leader.number());
    }
    return details;
  }
}
