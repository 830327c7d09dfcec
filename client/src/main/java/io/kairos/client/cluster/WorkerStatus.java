package io.kairos.client.cluster;

import java.time.Instant;
import java.util.List;

/**
 * A worker, as its calls to all nodes show it.
 *
 * @param id id of the worker, which stays as long as its process runs
 * @param caller caller by which it authenticates; empty where no callers are configured
 * @param host where it runs, as it says; empty when it does not
 * @param version name and version of its program or client, as it says; empty when it does not
 * @param handlers those of which it asks for tasks; of many not all
 * @param running tasks that it performs
 * @param slots tasks that it can perform at a time, as it says; 0 when it does not
 * @param lapsed leases of it that lapsed since it began
 * @param since when it first asked for work
 * @param seenAt when it last asked for work or extended a lease, accurate to some 15 seconds
 * @param isDraining true while it is given no more tasks
 */
public record WorkerStatus(
    String id,
    String caller,
    String host,
    String version,
    List<String> handlers,
    int running,
    int slots,
    long lapsed,
    Instant since,
    Instant seenAt,
    boolean isDraining) {
  public WorkerStatus {
    handlers = List.copyOf(handlers);
  }
}
