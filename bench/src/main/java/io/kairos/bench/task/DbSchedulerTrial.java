package io.kairos.bench.task;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.rig.BenchRig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The same load on db-scheduler, on the same Postgres, set as its authors measure it: lock and
 * fetch between 4 and 20 times the threads, 20 threads, a poll each 100 ms. Its handlers run in
 * this process, without a network between; no node runs meanwhile.
 */
final class DbSchedulerTrial extends TaskTrial {
  private static final String SETTINGS =
      "db-scheduler 16.12.0, lock-and-fetch 4.0/20.0, 20 threads, poll 100 ms, 25 connections";
  private static final String TABLE = "scheduled_tasks";
  private static final int THREADS = 20;
  private static final Duration POLL = Duration.ofMillis(100);

  /** The table of its documentation for Postgres. */
  private static final String SCHEMA =
      """
      create table scheduled_tasks (
        task_name text not null,
        task_instance text not null,
        task_data bytea,
        execution_time timestamp with time zone not null,
        picked boolean not null,
        picked_by text,
        last_success timestamp with time zone,
        last_failure timestamp with time zone,
        consecutive_failures int,
        last_heartbeat timestamp with time zone,
        version bigint not null,
        priority smallint,
        primary key (task_name, task_instance)
      );
      create index execution_time_idx on scheduled_tasks (execution_time);
      create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)
      """;

  private final Path log;
  private final ExecutionLog executions;
  private final OneTimeTask<byte[]> task =
      Tasks.oneTime(TaskWorkerMain.HANDLER, byte[].class)
          .execute((instance, _) -> perform(instance));
  private final Scheduler scheduler;
  private final AtomicLong done = new AtomicLong();

  DbSchedulerTrial(BenchRig rig, TaskLoadOptions options, int payloadBytes) throws SQLException {
    super(rig, options, payloadBytes);
    try (Statement statement = connection.createStatement()) {
      statement.execute(SCHEMA);
    }
    log = rig.folder().resolve("executions-peer");
    executions = rig.keep(ExecutionLog.write(log));
    scheduler =
        Scheduler.create(rig.keep(pool(rig)), List.of(task))
            .threads(THREADS)
            .pollUsingLockAndFetch(4.0, 20.0)
            .pollingInterval(POLL)
            .serializer(new RawBytes())
            .build();
    scheduler.start();
  }

  private static HikariDataSource pool(BenchRig rig) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(rig.postgres().jdbcUrl());
    config.setUsername(rig.postgres().user());
    config.setPassword(rig.postgres().password());
    config.setMaximumPoolSize(THREADS + 5);
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    return new HikariDataSource(config);
  }

  private void perform(TaskInstance<byte[]> instance) {
    try {
      executions.ended(ExecutionLog.begin(instance.getData()));
      done.incrementAndGet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void describe(FigureList figures) {
    super.describe(figures);
    figures.fact("peer", SETTINGS);
  }

  @Override
  public TaskTarget target() {
    return jobs ->
        scheduler.scheduleBatch(jobs.stream().<SchedulableInstance<?>>map(this::instance).toList());
  }

  private SchedulableInstance<byte[]> instance(TaskTarget.Job job) {
    return SchedulableInstance.of(
        task.instance(Long.toString(job.sequence()), job.payload()),
        KairosTarget.instant(job.dueMicros()));
  }

  @Override
  public long done() {
    return done.get();
  }

  @Override
  public long unfinished() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + TABLE)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public long otherwise() {
    return 0;
  }

  @Override
  public void stop(ArrivalLedger ledger) {
    scheduler.stop();
    try {
      executions.close();
      ExecutionLog.read(log, one -> one.into(ledger));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public ResourceMeter meter() {
    return rig.meter(connection, TABLE, Set.of("postgres"));
  }

  /** Payloads as they are. */
  private static final class RawBytes implements Serializer {
    @Override
    public byte[] serialize(Object data) {
      return (byte[]) data;
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] data) {
      return type.cast(data);
    }
  }
}
