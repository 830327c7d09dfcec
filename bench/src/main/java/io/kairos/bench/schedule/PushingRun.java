package io.kairos.bench.schedule;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import io.kairos.api.push.PushHeaders;
import io.kairos.bench.delay.Cost;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.delay.Snapshot;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.HiccupMeter;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.push.PushReceiver;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.domain.pool.PoolName;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.time.EpochMicros;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Schedules of a pool, equally many due at each second, on a rig whose node runs. The endpoints are
 * in this process and judge what comes.
 */
final class PushingRun {
  /** Seconds from one fire of a schedule to its next, and in a minute. */
  static final int TURN = 60;

  static final int ENDPOINTS = 4;

  private static final PoolName POOL = new PoolName("bench");

  /** After the last fire time; what has not ended then is lost. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  private final Rig rig;
  private final Progress progress;

  PushingRun(Rig rig, Progress progress) {
    this.rig = rig;
    this.progress = progress;
  }

  /**
   * What to run.
   *
   * @param fires a second
   * @param spread over which the runs of a second are scattered behind it
   * @param warmup minutes that are not measured
   */
  record Settings(int fires, Duration spread, int warmup, int minutes, int payloadBytes) {
    int measuredFromRound() {
      return warmup * TURN;
    }

    int rounds() {
      return (warmup + minutes) * TURN;
    }
  }

  PushingResult run(Settings settings) throws SQLException {
    FirePlan plan =
        FirePlan.after(
            Instant.now().plus(Registration.lead(settings.fires() * TURN)),
            settings.fires(),
            TURN,
            FirePlan.Unit.SECOND);
    Payload payload = new Payload(new SplittableRandom().nextLong() >>> 1, settings.payloadBytes());
    Spread spread = new Spread(settings.spread());
    Registration.register(
        rig, plan, payload, Registration.Common.ofPool(POOL, OverlapPolicy.SKIP, spread), progress);
    try (Connection connection = rig.connect();
        KairosClient client = KairosClient.connect(rig.nodes().getFirst().address())) {
      List<String> ids = ScheduleTables.ids(connection, plan);
      PushedRuns runs =
          new PushedRuns(
              plan,
              (sequence, fireMicros) ->
                  EpochMicros.of(
                      spread.dueAt(ids.get(sequence), EpochMicros.toInstant(fireMicros))),
              settings.measuredFromRound(),
              settings.rounds());
      try (PushReceiver receiver =
          PushReceiver.start(
              ENDPOINTS,
              (request, atMicros) -> note(request, atMicros, payload, runs),
              Duration.ZERO)) {
        client.pools().create(PoolDefinition.of(POOL.value()).listed(receiver.urls()));
        return watch(connection, settings, plan, runs);
      }
    }
  }

  private static void note(
      AggregatedHttpRequest request, long atMicros, Payload payload, PushedRuns runs) {
    byte[] body = request.content().array();
    String fireTime = request.headers().get(PushHeaders.FIRE_TIME);
    if (fireTime == null || !payload.isOurs(body) || !payload.isIntact(body)) {
      runs.notOfThePlan();
    } else {
      runs.arrived(Payload.sequence(body), EpochMicros.of(Instant.parse(fireTime)), atMicros);
    }
  }

  private PushingResult watch(
      Connection connection, Settings settings, FirePlan plan, PushedRuns runs)
      throws SQLException {
    try (HiccupMeter hiccups = HiccupMeter.start()) {
      FiringRun.pass(plan.atMicros(settings.measuredFromRound()));
      hiccups.forget();
      Snapshot before = Snapshot.take(rig, connection, FiringRun.TABLE);
      for (int minute = 1; minute <= settings.minutes(); minute++) {
        int round = settings.measuredFromRound() + minute * TURN;
        FiringRun.pass(plan.atMicros(round) - FiringRun.micros(FiringRun.BEFORE));
        progress.say(
            "minute %d of %d: %s"
                .formatted(minute, settings.minutes(), Shown.percentiles(runs.count().lateness())));
      }
      Lateness hiccup = hiccups.take();
      Snapshot after = Snapshot.take(rig, connection, FiringRun.TABLE);
      settle(connection, plan.atMicros(settings.rounds() - 1));
      return new PushingResult(
          settings,
          plan,
          runs.count(),
          ScheduleTables.judge(connection, plan, settings.measuredFromRound(), settings.rounds())
              .count(),
          TaskStoreCount.of(connection),
          hiccup,
          Cost.between(before, after, plan.fires(settings.minutes() * TURN)));
    }
  }

  /** Lets everything that was due up to then be decided and end, and nothing else. */
  private static void settle(Connection connection, long lastMicros) throws SQLException {
    long giveUpAt = lastMicros + FiringRun.micros(QUIET);
    FiringRun.await(() -> ScheduleTables.allDecided(connection, lastMicros), giveUpAt);
    ScheduleTables.pauseAll(connection);
    FiringRun.await(
        () -> ScheduleTables.noneUnfinished(connection),
        WallClock.micros() + FiringRun.micros(QUIET));
  }
}
