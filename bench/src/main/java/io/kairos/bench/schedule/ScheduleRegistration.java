package io.kairos.bench.schedule;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskWorkerMain;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * Stores the schedules of a plan: one of each turn by a call, and the others as copies within the
 * store, because the speed of storing schedules is not measured.
 */
public final class ScheduleRegistration {
  /** A copy has another id, name and sequence number, which follows that of the run. */
  private static final String COPY =
      """
      insert into schedule
      select copy.*
      from schedule s
      cross join generate_series(?::bigint, ?::bigint, ?::bigint) n
      cross join lateral jsonb_populate_record(
        s,
        jsonb_build_object(
          'id', gen_random_uuid(),
          'name', 'bench-' || n,
          'payload', '\\x' || encode(
            overlay(s.payload placing int8send(n) from position(int8send(?::bigint) in s.payload) + 8), 'hex'))) copy
      where s.name = ?
      """;

  private ScheduleRegistration() {}

  /** Time between the registration's start and the first round. */
  public static Duration lead(int schedules) {
    return Duration.ofSeconds(15).plusMillis(schedules / 3);
  }

  /**
   * Stores schedules that fire at every second, whatever of them is still unfinished and however
   * late it is, for {@link TaskWorkerMain} to perform.
   *
   * @return their plan, whose first round comes some seconds later
   */
  public static FirePlan everySecond(
      BenchRig rig, int schedules, LoadPayload payload, ProgressLog progress) throws SQLException {
    FirePlan plan =
        FirePlan.after(Instant.now().plus(lead(schedules)), schedules, 1, FirePlan.Unit.SECOND);
    register(
        rig,
        plan,
        payload,
        schedule ->
            schedule
                .handler(TaskWorkerMain.FIRED_HANDLER)
                .overlap(ScheduleSpec.Overlap.ALLOW_ALL)
                .catchUp(ScheduleSpec.CatchUp.ALL),
        progress);
    return plan;
  }

  /**
   * Stores all of them; none fires before the plan's first round.
   *
   * @param settings that all schedules have in common
   * @throws IllegalStateException when that round has come meanwhile
   */
  public static void register(
      BenchRig rig,
      FirePlan plan,
      LoadPayload payload,
      UnaryOperator<ScheduleSpec.Builder> settings,
      ProgressLog progress)
      throws SQLException {
    long began = System.nanoTime();
    Connection connection = rig.connect();
    KairosClient client = rig.keep(KairosClient.connect(rig.addresses()));
    for (int sequence = 0; sequence < plan.period(); sequence++) {
      String name = "bench-" + sequence;
      ScheduleSpec.Builder schedule =
          ScheduleSpec.named(name)
              .cron(plan.expression(sequence))
              .startAt(plan.at(0))
              .payload(payload.value(sequence, 0));
      client.schedules().create(settings.apply(schedule).build());
      BenchSql.update(
          connection,
          COPY,
          sequence + plan.period(),
          plan.schedules() - 1,
          plan.period(),
          payload.run(),
          name);
    }
    ScheduleTables.settle(connection);
    if (!Instant.now().isBefore(plan.at(0))) {
      throw new IllegalStateException(
          "the first fire time came while schedules were still being stored: store fewer");
    }
    progress.say(
        "%s schedules stored in %s ms"
            .formatted(
                ShownNumbers.count(plan.schedules()),
                ShownNumbers.count((System.nanoTime() - began) / 1e6)));
  }
}
