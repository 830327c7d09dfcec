package io.kairos.push;

import io.kairos.engine.node.LeaseClock;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.time.MonotonicClock;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The ports of the part that pushes.
 *
 * @param leaseClock by which leases of registered endpoints are judged
 * @param chance thread-safe and unpredictable, because secrets are drawn from it too
 * @param encryptionKeys the keys by which the store of pools encrypts secrets; empty for none
 * @param dns DNS servers to ask; empty for those of the system
 * @param spans {@link PushSpans#NONE} for nodes without traces
 */
public record PushPorts(
    TaskEdge tasks,
    PoolStore pools,
    Optional<EncryptionKeyFile> encryptionKeys,
    LeaseClock leaseClock,
    PushConnections caller,
    InstantSource clock,
    MonotonicClock monotonic,
    RandomGenerator chance,
    List<InetSocketAddress> dns,
    PushEvents events,
    PushSpans spans) {
  public PushPorts {
    dns = List.copyOf(dns);
  }
}
