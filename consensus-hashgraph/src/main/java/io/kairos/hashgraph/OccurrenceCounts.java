package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts of what each replica did, or was counted when it spoke. On the log's thread only. */
final class OccurrenceCounts {
  private final ReplicaId self;
  private final List<EnumMap<Occurrence, Long>> counts = new ArrayList<>();

  OccurrenceCounts(HashgraphConfig config) {
    this.self = config.self();
    for (int i = 0; i < config.cluster().size(); i++) {
      counts.add(new EnumMap<>(Occurrence.class));
    }
  }

  /** Counts something of this replica itself. */
  void note(Occurrence occurrence) {
    note(occurrence, self);
  }

  void note(Occurrence occurrence, ReplicaId of) {
    counts.get(of.number()).merge(occurrence, 1L, Long::sum);
  }

  /** The sum of all replicas. */
  long total(Occurrence occurrence) {
    return counts.stream().mapToLong(each -> each.getOrDefault(occurrence, 0L)).sum();
  }

  /** Counts of a replica, without zeros. */
  Map<Occurrence, Long> of(ReplicaId replica) {
    return Map.copyOf(counts.get(replica.number()));
  }
}
