package io.kairos.bench.task;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.LoadDueTimes;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.domain.time.EpochMicros;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of one run from a load to the workers, with a ledger of them. It ends with its rig. Used by
 * one thread.
 */
public abstract class TaskFlow {
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  public final BenchRig rig;
  public final Connection connection;
  protected final KairosClient client;
  public final LoadPayload payload;
  private final TaskStoreCount before;
  private @Nullable TaskLoad load;
  private @Nullable ArrivalLedger ledger;

  /** A flow on a rig whose nodes are ready. */
  protected TaskFlow(BenchRig rig, int payloadBytes) throws SQLException {
    this.rig = rig;
    connection = rig.connect();
    client = rig.keep(rig.access().apply(KairosClient.builder(rig.addresses())).build());
    payload = LoadPayload.ofNewRun(payloadBytes);
    before = TaskStoreCount.of(connection);
  }

  /** Begins the request for a task: all but payload and due time. Called by several threads. */
  protected abstract TaskRequest.Builder request(long sequence);

  /** The client that schedules this task. Called by several threads. */
  protected KairosClient client(long sequence) {
    return client;
  }

  /** Tasks that have ended, about. Any thread. */
  protected long done() {
    return 0;
  }

  /** Ends those who perform; what they have performed is in the ledger then. */
  protected abstract void stop(ArrivalLedger arrivals) throws SQLException;

  /** Begins to schedule. */
  protected final void begin(TaskLoad.Plan plan, LoadDueTimes dueTimes, ArrivalLedger arrivals) {
    ledger = arrivals;
    load = rig.keep(new TaskLoad(this::schedule, plan, payload, dueTimes, this::done).start());
  }

  /** One call for a list of tasks, a single call for a list of one. */
  private void schedule(List<TaskLoad.Job> jobs) {
    List<TaskRequest> requests =
        jobs.stream()
            .map(job ->
                request(job.sequence())
                    .payload(job.payload())
                    .runAt(EpochMicros.toInstant(job.dueMicros()))
                    .build())
            .toList();
    KairosClient caller = client(jobs.getFirst().sequence());
    if (requests.size() == 1) {
      caller.schedule(requests.getFirst());
    } else {
      caller.schedule(requests);
    }
  }

  protected final TaskLoad load() {
    return requireNonNull(load, "the load has not begun");
  }

  /** The store's counts of the tasks of this flow, over a connection that no outage has broken. */
  public final TaskStoreCount stored() throws SQLException {
    return TaskStoreCount.of(rig.connect()).since(before);
  }

  /**
   * Waits until all is scheduled and has ended, and counts.
   *
   * @param quiet without an end for so long what is missing is lost
   */
  protected final LoadAccounts settle(Duration quiet) throws SQLException, InterruptedException {
    ArrivalLedger arrivals = requireNonNull(ledger, "the load has not begun");
    load().join();
    Connection unbroken = rig.connect();
    long last = Long.MAX_VALUE;
    for (long since = System.nanoTime();
        last > 0 && System.nanoTime() - since < quiet.toNanos(); ) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      long left = TaskStoreCount.unfinished(unbroken) - before.unfinished();
      if (left != last) {
        last = left;
        since = System.nanoTime();
      }
    }
    stop(arrivals);
    TaskStoreCount stored = stored();
    return new LoadAccounts(
        load().sent(),
        load().accepted(),
        load().uncertain().size(),
        load().worstLag(),
        arrivals,
        load().missingFrom(arrivals),
        stored.unfinished(),
        stored.otherwise());
  }
}
