package io.kairos.bench.schedule;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import io.kairos.api.push.PushHeaders;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.push.PushLoadReceiver;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.TrialTimes;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.ScheduleSpec;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.time.EpochMicros;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Schedules of a pool, equally many due in each second. The endpoints are in this process and check
 * the requests.
 */
final class PushingTrial extends ScheduleTrial {
  /** Seconds from one fire of a schedule to its next, and in a minute. */
  static final int TURN = 60;

  private static final int ENDPOINTS = 4;
  private static final String POOL = "bench";

  private final RunSpread spread;
  private volatile @Nullable PlannedRuns runs;

  /**
   * Makes a trial of some rounds.
   *
   * @param spread over which the runs of a second are scattered behind it
   */
  PushingTrial(BenchRig rig, ProgressLog progress, Rounds rounds, int payloadBytes, Duration spread)
      throws SQLException {
    super(rig, progress, rounds, payloadBytes);
    this.spread = new RunSpread(spread);
  }

  @Override
  public void describe(FigureList figures) {
    super.describe(figures);
    figures
        .count("endpoints", "endpoints", ENDPOINTS)
        .add("spreadMillis", "runs scattered over", Unit.MILLIS, spread.window().toMillis());
  }

  @Override
  ScheduleSpec.Builder common(ScheduleSpec.Builder schedule) {
    return schedule.pool(POOL, "POST", "/").spread(spread.window());
  }

  @Override
  public TrialTimes start() throws SQLException {
    PushLoadReceiver receiver =
        rig.keep(new PushLoadReceiver(ENDPOINTS, this::note, Duration.ZERO));
    rig.keep(KairosClient.connect(rig.addresses()))
        .pools()
        .create(PoolDefinition.of(POOL).listed(receiver.urls()));
    return super.start();
  }

  @Override
  void beginRuns() throws SQLException {
    List<String> ids = ScheduleTables.ids(connection, plan);
    runs =
        new PlannedRuns(
            plan,
            (sequence, fireMicros) ->
                EpochMicros.of(
                    spread.dueAt(ids.get((int) sequence), EpochMicros.toInstant(fireMicros))),
            rounds.warmup(),
            rounds.all());
  }

  private void note(AggregatedHttpRequest request, long atMicros) {
    byte[] body = request.content().array();
    String fireTime = request.headers().get(PushHeaders.FIRE_TIME);
    if (fireTime == null || !payload.isOurs(body) || !payload.isIntact(body)) {
      runs().notOfThePlan();
    } else {
      runs().arrived(LoadPayload.sequence(body), EpochMicros.of(Instant.parse(fireTime)), atMicros);
    }
  }

  @Override
  PlannedRuns runs() {
    return requireNonNull(runs);
  }

  @Override
  void endRuns() {
    // Arrivals are counted already.
  }
}
