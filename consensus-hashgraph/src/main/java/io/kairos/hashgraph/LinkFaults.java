package io.kairos.hashgraph;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the trouble with connections of each replica, and of strangers; on any thread. */
final class LinkFaults {
  private static final Logger LOG = LoggerFactory.getLogger(LinkFaults.class);

  /** By replica; the last ones are those of strangers. */
  @GuardedBy("this")
  private final List<EnumMap<LinkFault, Long>> counts = new ArrayList<>();

  LinkFaults(ReplicaGroup cluster) {
    for (int i = 0; i <= cluster.size(); i++) {
      counts.add(new EnumMap<>(LinkFault.class));
    }
  }

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
    EnumMap<LinkFault, Long> its = counts.get(place(of));
    long count = its.getOrDefault(fault, 0L) + 1;
    its.put(fault, count);
    return count;
  }

  /** Counts of a replica, or of strangers for null, without zeros. */
  synchronized Map<LinkFault, Long> of(@Nullable ReplicaId replica) {
    return Map.copyOf(counts.get(place(replica)));
  }

  @GuardedBy("this")
  private int place(@Nullable ReplicaId of) {
    return of == null ? counts.size() - 1 : of.number();
  }
}
