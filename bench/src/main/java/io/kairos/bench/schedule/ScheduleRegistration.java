package io.kairos.bench.schedule;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskWorkerMain;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleRevision;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.PostgresStores;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Stores the schedules of a plan: one of each turn by the port of the store, as a node does, and
 * within the store as many copies of it as there are to be. How fast schedules are stored is not
 * what is measured.
 */
public final class ScheduleRegistration {
  /** A copy has another id, name and sequence number, wherever that is in its payload. */
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
          'payload', '\\x' || encode(overlay(s.payload placing int8send(n) from ?::integer), 'hex'))) copy
      where s.name = ?
      """;

  private final ScheduleStore store;
  private final FirePlan plan;
  private final LoadPayload payload;
  private final Common common;
  private final Instant now;

  private ScheduleRegistration(
      ScheduleStore store, FirePlan plan, LoadPayload payload, Common common) {
    this.store = store;
    this.plan = plan;
    this.payload = payload;
    this.common = common;
    this.now = store.now();
  }

  /**
   * Settings that all schedules have in common.
   *
   * @param envelope around what a worker gets
   */
  public record Common(
      QueueName queue, UnaryOperator<byte[]> envelope, OverlapPolicy overlap, RunSpread spread) {
    /** For worker processes. */
    public static Common ofWorkers(OverlapPolicy overlap) {
      return new Common(
          queue(new HandlerName(TaskWorkerMain.FIRED_HANDLER)),
          UnaryOperator.identity(),
          overlap,
          RunSpread.NONE);
    }

    /** For the endpoints of a pool. */
    static Common ofPool(PoolName pool, OverlapPolicy overlap, RunSpread spread) {
      return new Common(queue(pool), body -> PushRequest.post(body).encode(), overlap, spread);
    }

    private static QueueName queue(TaskHandler handler) {
      return new QueueName(handler, QueueName.DEFAULT);
    }

    /** Offset of the sequence number in the whole payload, in bytes. */
    int sequenceAt(byte[] value) {
      return envelope.apply(value).length - value.length + LoadPayload.SEQUENCE_AT;
    }
  }

  /** How long before the first round to begin. */
  public static Duration lead(int schedules) {
    return Duration.ofSeconds(15).plusMillis(schedules / 3);
  }

  /**
   * Stores all of them; none fires before the plan's first round.
   *
   * @throws IllegalStateException when that round has come meanwhile
   */
  public static void register(
      BenchRig rig, FirePlan plan, LoadPayload payload, Common common, ProgressLog progress)
      throws SQLException {
    long began = System.nanoTime();
    PostgresConfig config =
        PostgresConfig.of(
            rig.postgres().jdbcUrl(), rig.postgres().user(), rig.postgres().password());
    Connection connection = rig.connect();
    try (PostgresStores stores = PostgresStores.open(config)) {
      ScheduleRegistration registration =
          new ScheduleRegistration(stores.schedules(), plan, payload, common);
      for (int sequence = 0; sequence < plan.period(); sequence++) {
        registration.store(sequence);
        registration.copy(connection, sequence);
      }
      ScheduleTables.settle(connection);
    }
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

  private void store(int sequence) {
    ScheduleName name = new ScheduleName(name(sequence));
    ScheduleDefinition definition =
        new ScheduleDefinition(
            ScheduleRule.of(ScheduleRule.Kind.CRON, plan.expression(sequence)),
            new RuleBounds(plan.at(0), null, null),
            common.spread(),
            new ScheduleTarget.Handler(
                common.queue(),
                TaskDetails.of(common.envelope().apply(payload.value(sequence, 0)))),
            FirePolicies.DEFAULT.with(common.overlap()));
    Schedule schedule =
        ScheduleRevision.begin(
                new ScheduleId(UUID.randomUUID()),
                name,
                definition,
                new RuleTimetable(definition.timeRule(name, now), Map.of()),
                now)
            .orElseThrow();
    if (!(store.create(schedule) instanceof CreationResult.Created)) {
      throw new IllegalStateException(name + " cannot be stored");
    }
  }

  private void copy(Connection connection, int sequence) throws SQLException {
    BenchSql.update(
        connection,
        COPY,
        sequence + plan.period(),
        plan.schedules() - 1,
        plan.period(),
        1 + common.sequenceAt(payload.value(sequence, 0)),
        name(sequence));
  }

  private static String name(int sequence) {
    return "bench-" + sequence;
  }
}
