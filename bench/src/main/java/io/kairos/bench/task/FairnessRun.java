package io.kairos.bench.task;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.LatenessSummary;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.TrialReport;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Tenants that share a queue. First many with unequal loads, whose tasks all wait when the worker
 * comes; then the single tasks of one tenant, without and with the backlog of another. Used by one
 * thread; the worker's threads note what they perform.
 */
final class FairnessRun {
  private static final String SHARES = "bench-shares";
  private static final String PROBES = "bench-probes";
  private static final String CROWD = "tenant a";
  private static final String SINGLE = "tenant b";
  private static final int BATCH = 500;
  private static final int MOST_TIMES = 10;
  private static final double MOST_RATIO = 1.1;
  private static final double MOST_ADDED_MILLIS = 50;
  private static final Duration WARM_UP = Duration.ofSeconds(5);

  /** Longer than a node thinks of a handler as wanted after its last worker. */
  private static final Duration UNWANTED_AFTER = Duration.ofSeconds(3);

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final BenchRig rig;
  private final Plan plan;
  private final LoadPayload payload;
  private final ProgressLog progress;
  private final KairosClient client;

  /** The first sequence number of each tenant of unequal loads, and the one after the last. */
  private final int[] firstOf;

  private final int firstProbe;
  private final int firstOfBacklog;

  /** How often each task was performed. */
  private final AtomicIntegerArray performed;

  /** When each task began first; 0 before that. */
  private final AtomicLongArray beganNanos;

  /**
   * What is measured.
   *
   * @param perTenant tasks of the tenant with the fewest; that with the most has ten times as many
   * @param probes single tasks, without and with the backlog
   */
  record Plan(
      int tenants,
      int perTenant,
      int backlog,
      int probes,
      Duration probeEvery,
      int executors,
      Duration workTime) {
    /** The tasks of a tenant. */
    int tasksOf(int tenant) {
      return perTenant + (int) ((long) (MOST_TIMES - 1) * perTenant * tenant / (tenants - 1));
    }
  }

  FairnessRun(BenchRig rig, Plan plan, int payloadBytes, ProgressLog progress) {
    this.rig = rig;
    this.plan = plan;
    this.progress = progress;
    payload = LoadPayload.ofNewRun(payloadBytes);
    client = rig.keep(rig.access().apply(KairosClient.builder(rig.addresses())).build());
    firstOf = new int[plan.tenants + 1];
    for (int tenant = 0; tenant < plan.tenants; tenant++) {
      firstOf[tenant + 1] = firstOf[tenant] + plan.tasksOf(tenant);
    }
    firstProbe = firstOf[plan.tenants];
    firstOfBacklog = firstProbe + 2 * plan.probes;
    performed = new AtomicIntegerArray(firstOfBacklog + plan.backlog);
    beganNanos = new AtomicLongArray(performed.length());
  }

  TrialReport run() throws SQLException, InterruptedException {
    Connection connection = rig.connect();
    FigureList figures = new FigureList();
    RunVerdict verdict = new RunVerdict();
    shares(figures, verdict);
    LatenessSummary alone;
    try (Worker worker = worker(PROBES)) {
      worker.start();
      alone = probe(firstProbe);
    }
    LockSupport.parkNanos(UNWANTED_AFTER.toNanos());
    progress.say("scheduling " + plan.backlog + " tasks of one tenant");
    schedule(PROBES, firstOfBacklog, performed.length(), _ -> CROWD);
    long waiting = TaskStoreCount.unfinished(connection);
    LatenessSummary beside;
    try (Worker worker = worker(PROBES)) {
      worker.start();
      LockSupport.parkNanos(WARM_UP.toNanos());
      beside = probe(firstProbe + plan.probes);
    }
    double added = beside.p99() - alone.p99();
    figures
        .row("backlog")
        .count("backlog.waiting", "waiting and due", waiting)
        .count("backlog.performed", "performed beside the single tasks", performed(firstOfBacklog))
        .lateness("alone", "alone", alone)
        .lateness("beside", "beside", beside)
        .row("added")
        .add("addedP99Millis", "p99", Unit.MILLIS, added)
        .add("addedP50Millis", "p50", Unit.MILLIS, beside.p50() - alone.p50());
    verdict.expect(
        added <= MOST_ADDED_MILLIS, "a backlog delays the tasks of another key by more than 50 ms");
    account(connection, figures, verdict);
    return new TrialReport(figures, verdict);
  }

  private Worker worker(String handler) {
    return rig.access()
        .apply(Worker.builder(rig.addresses()).concurrency(plan.executors))
        .build()
        .handle(
            handler,
            PayloadCodec.bytes(),
            (bytes, _) -> {
              int sequence = (int) LoadPayload.sequence(bytes);
              beganNanos.compareAndSet(sequence, 0, System.nanoTime());
              performed.incrementAndGet(sequence);
              LockSupport.parkNanos(plan.workTime.toNanos());
            });
  }

  /** Schedules tasks that are due at once, by several threads. */
  private void schedule(String handler, int from, int until, IntFunction<String> keyOf) {
    IntStream.range(0, (until - from + BATCH - 1) / BATCH)
        .parallel()
        .forEach(batch -> {
          int first = from + batch * BATCH;
          List<TaskRequest> tasks =
              IntStream.range(first, Math.min(until, first + BATCH))
                  .mapToObj(sequence -> task(handler, sequence, keyOf.apply(sequence)))
                  .toList();
          client.schedule(tasks);
        });
  }

  private TaskRequest task(String handler, int sequence, String key) {
    return TaskRequest.to(handler).fairnessKey(key).payload(payload.value(sequence, 0)).build();
  }

  /** Tenants of unequal loads; the largest comes first. */
  private void shares(FigureList figures, RunVerdict verdict) throws InterruptedException {
    for (int tenant = plan.tenants - 1; tenant >= 0; tenant--) {
      String key = "tenant " + tenant;
      schedule(SHARES, firstOf[tenant], firstOf[tenant + 1], _ -> key);
    }
    progress.say("performing " + firstProbe + " tasks of " + plan.tenants + " tenants");
    boolean all;
    try (Worker worker = worker(SHARES)) {
      worker.start();
      all = await(() -> performed(0, firstProbe) == firstProbe);
    }
    long[] shares = sharesWhileAllHaveWork();
    long least = Arrays.stream(shares).min().orElse(0);
    long most = Arrays.stream(shares).max().orElse(0);
    double ratio = least == 0 ? Double.MAX_VALUE : (double) most / least;
    figures
        .row("shares")
        .count("shares.tenants", "tenants", plan.tenants)
        .count("shares.tasks", "tasks", firstProbe)
        .count("shares.handedOut", "while all had work", Arrays.stream(shares).sum())
        .count("shares.least", "smallest", least)
        .count("shares.most", "largest", most)
        .add("shares.ratio", "largest to smallest", Unit.RATIO, ratio);
    verdict
        .demand(all, "tasks of tenants were not performed")
        .expect(ratio <= MOST_RATIO, "the largest share is more than 1.1 of the smallest");
  }

  /** The tasks of each tenant that began before the first tenant had no more. */
  private long[] sharesWhileAllHaveWork() {
    long until = Long.MAX_VALUE;
    for (int tenant = 0; tenant < plan.tenants; tenant++) {
      until = Math.min(until, latest(firstOf[tenant], firstOf[tenant + 1]));
    }
    long[] shares = new long[plan.tenants];
    for (int tenant = 0; tenant < plan.tenants; tenant++) {
      for (int sequence = firstOf[tenant]; sequence < firstOf[tenant + 1]; sequence++) {
        long began = beganNanos.get(sequence);
        shares[tenant] += began != 0 && began <= until ? 1 : 0;
      }
    }
    return shares;
  }

  private long latest(int from, int until) {
    return IntStream.range(from, until).mapToLong(beganNanos::get).max().orElse(0);
  }

  /** How long single tasks take from their call to their beginning. */
  private LatenessSummary probe(int first) throws InterruptedException {
    List<Long> calledNanos = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < plan.probes; i++) {
      LockSupport.parkNanos(start + i * plan.probeEvery.toNanos() - System.nanoTime());
      calledNanos.add(System.nanoTime());
      client.schedule(task(PROBES, first + i, SINGLE));
    }
    await(() -> performed(first, first + plan.probes) == plan.probes);
    Histogram micros = new Histogram(3);
    for (int i = 0; i < plan.probes; i++) {
      long began = beganNanos.get(first + i);
      long taken = (began == 0 ? System.nanoTime() : began) - calledNanos.get(i);
      micros.recordValue(Math.max(0, taken / 1_000));
    }
    return LatenessSummary.ofMicros(micros);
  }

  private static boolean await(BooleanSupplier holds) throws InterruptedException {
    long since = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - since > PATIENCE.toNanos()) {
        return false;
      }
      Thread.sleep(20);
    }
    return true;
  }

  private long performed(int from) {
    return performed(from, performed.length());
  }

  private long performed(int from, int until) {
    return IntStream.range(from, until).filter(sequence -> performed.get(sequence) > 0).count();
  }

  /** What was not performed is still in the store, and nothing was performed twice. */
  private void account(Connection connection, FigureList figures, RunVerdict verdict)
      throws SQLException {
    long unfinished = TaskStoreCount.unfinished(connection);
    long lost = Math.max(0, performed.length() - performed(0) - unfinished);
    long duplicated =
        IntStream.range(0, performed.length())
            .map(sequence -> Math.max(0, performed.get(sequence) - 1))
            .sum();
    figures
        .row("tasks")
        .count("scheduled", "scheduled", performed.length())
        .count("performed", "performed", performed(0))
        .count("unfinished", "still waiting", unfinished)
        .count("lost", "lost", lost)
        .count("duplicated", "performed twice", duplicated);
    verdict
        .demand(lost == 0, "tasks were lost")
        .demand(duplicated == 0, "tasks were performed twice");
  }
}
