package io.kairos.server.replica;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.edge.cron.ReplicaFacts;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.server.observe.ProcessSigns;
import io.kairos.server.observe.RoundWatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A replica's state for the edge. Thread-safe. */
public final class ReplicaSigns extends ProcessSigns {
  private final String version;
  private final Supplier<ReplicaFacts> facts;
  private final Supplier<Optional<String>> obstacle;
  private final AuditTrail audit;
  private volatile List<String> told = List.of();

  /**
   * @param obstacle why the log cannot be expected to execute requests; empty when it can
   */
  public ReplicaSigns(
      String version,
      RoundWatch turns,
      Supplier<ReplicaFacts> facts,
      Supplier<Optional<String>> obstacle,
      AuditTrail audit) {
    super("the replica", "the replica is broken and ends: %s", turns);
    this.version = version;
    this.facts = facts;
    this.obstacle = obstacle;
    this.audit = audit;
  }

  @Override
  public Optional<AuditTrail> audit() {
    return Optional.of(audit);
  }

  /** Records the peers that are not the configured replicas, one sentence each. */
  public void mismatches(List<String> misfits) {
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
  public String version() {
    return version;
  }

  @Override
  public List<String> obstacles() {
    List<String> obstacles = super.obstacles();
    obstacle.get().ifPresent(obstacles::add);
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
