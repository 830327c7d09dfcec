package io.kairos.server.push;

import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.time.Monotonic;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What pushing needs from outside.
 *
 * @param chance thread-safe; secrets are drawn from it too, so it must be one that nobody can guess
 * @param dns servers to ask; empty for those of the system
 */
public record PushPorts(
    TaskEdge tasks,
    PoolStore pools,
    Caller caller,
    InstantSource clock,
    Monotonic monotonic,
    RandomGenerator chance,
    List<InetSocketAddress> dns,
    PushEvents events) {
  public PushPorts {
    dns = List.copyOf(dns);
  }
}
