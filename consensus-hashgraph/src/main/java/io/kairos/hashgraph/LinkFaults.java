package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the trouble with connections of each replica, and of strangers; on any thread. */
final class LinkFaults {
  private static final Logger LOG = LoggerFactory.getLogger(LinkFaults.class);

  private final Map<Optional<ReplicaId>, EnumMap<LinkFault, Long>> counts = new HashMap<>();

  /**
   * Counts one, and logs the 1st, 2nd, 4th and so on, so that no flood fills the log.
   *
   * @param of null for a stranger
   */
  void note(@Nullable ReplicaId of, LinkFault fault, String what) {
    long count = count(of, fault);
    if (Long.bitCount(count) == 1) {
      LOG.atWarn()
          .addKeyValue("replica", of == null ? "unknown" : of)
          .addKeyValue("fault", fault)
          .addKeyValue("count", count)
          .addKeyValue("what", what)
          .log("trouble with a connection between replicas");
    }
  }

  private synchronized long count(@Nullable ReplicaId of, LinkFault fault) {
    EnumMap<LinkFault, Long> its =
        counts.computeIfAbsent(Optional.ofNullable(of), _ -> new EnumMap<>(LinkFault.class));
    long count = its.getOrDefault(fault, 0L) + 1;
    its.put(fault, count);
    return count;
  }

  /** What was counted so far, without zeros. */
  synchronized Map<LinkFault, Long> of(@Nullable ReplicaId replica) {
    return Map.copyOf(
        counts.getOrDefault(Optional.ofNullable(replica), new EnumMap<>(LinkFault.class)));
  }
}
