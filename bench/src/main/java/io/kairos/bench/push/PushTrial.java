package io.kairos.bench.push;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskLoadOptions;
import io.kairos.bench.task.TaskTrial;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad.Done;
import io.kairos.client.PoolDefinition;
import io.kairos.client.TaskRequest;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tasks that a node pushes to endpoints in this process, which check the requests. */
final class PushTrial extends TaskTrial {
  private static final String POOL = "bench";
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  private final Pool pool;
  private @Nullable PushLoadReceiver receiver;
  private @Nullable ArrivalLedger ledger;

  /**
   * The pool to which tasks are pushed.
   *
   * @param hold from a request to its answer
   * @param inFlight requests under way from the node
   */
  record Pool(int endpoints, Duration hold, int inFlight) {}

  PushTrial(BenchRig rig, TaskLoadOptions options, int payloadBytes, Pool pool)
      throws SQLException {
    super(rig, options, payloadBytes);
    this.pool = pool;
  }

  @Override
  public void describe(FigureList figures) {
    super.describe(figures);
    figures
        .count("endpoints", "endpoints", pool.endpoints)
        .add("holdMillis", "that answer after", Unit.MILLIS, pool.hold.toMillis())
        .count("inFlight", "under way at most", pool.inFlight);
  }

  @Override
  protected void judgeBy(ArrivalLedger arrivals) {
    ledger = arrivals;
    PushLoadReceiver started =
        rig.keep(
            new PushLoadReceiver(
                pool.endpoints,
                (request, atMicros) -> note(request.content().array(), atMicros, arrivals),
                pool.hold));
    receiver = started;
    client
        .pools()
        .create(
            PoolDefinition.of(POOL)
                .listed(started.urls())
                .maxInFlight(pool.inFlight)
                .requestTimeout(pool.hold.plus(REQUEST_TIMEOUT)));
  }

  private void note(byte[] body, long atMicros, ArrivalLedger arrivals) {
    if (payload.isOurs(body)) {
      arrivals.arrived(
          LoadPayload.sequence(body),
          LoadPayload.dueMicros(body),
          atMicros,
          payload.isIntact(body));
    }
  }

  @Override
  protected TaskRequest.Builder request(long sequence) {
    return TaskRequest.toPool(POOL, "/");
  }

  @Override
  protected long done() {
    ArrivalLedger arrivals = ledger;
    return arrivals == null ? 0 : arrivals.count().distinct();
  }

  @Override
  protected void stop(ArrivalLedger arrivals) {
    // Arrivals are in the ledger already.
  }

  @Override
  protected Duration quiet() {
    return super.quiet().plus(pool.hold);
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict)
      throws SQLException {
    super.judge(done, accounts, figures, verdict);
    figures
        .row("requests at once")
        .count("mostUnderWay", "at most", requireNonNull(receiver).most());
    ResourceMeter.peakMemory(rig.nodes().getFirst().pid(), figures);
  }
}
