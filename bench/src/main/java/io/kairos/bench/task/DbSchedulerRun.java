package io.kairos.bench.task;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.Rig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The same load on db-scheduler, on the same Postgres, set as its authors measure it: lock and
 * fetch between 4 and 20 times the threads, 20 threads, a poll each 100 ms. Its handlers run in
 * this process, without a network between; no node runs meanwhile.
 */
final class DbSchedulerRun {
  static final String SETTINGS =
      "db-scheduler 16.12.0, lock-and-fetch 4.0/20.0, 20 threads, poll 100 ms, 25 connections";

  private static final int THREADS = 20;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration QUIET = Duration.ofSeconds(20);

  /** The table of its documentation for Postgres. */
  private static final List<String> TABLE =
      List.of(
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
          )
          """,
          "create index execution_time_idx on scheduled_tasks (execution_time)",
          "create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)");

  private final Rig rig;
  private final Progress progress;
  private final AtomicLong done = new AtomicLong();

  DbSchedulerRun(Rig rig, Progress progress) {
    this.rig = rig;
    this.progress = progress;
  }

  /** What was seen. */
  record Result(
      double acceptedPerSecond, double endedPerSecond, Lateness lateness, long lost, long doubled) {
    Table table() {
      return new Table()
          .row("peer", SETTINGS)
          .row("accepted", Shown.count(acceptedPerSecond) + " tasks/s")
          .row("ended", Shown.count(endedPerSecond) + " tasks/s")
          .row("start lateness", Shown.percentiles(lateness))
          .row(
              "accounts",
              "lost " + Shown.count(lost) + ", performed again " + Shown.count(doubled));
    }

    Map<String, Object> data() {
      return Map.of(
          "settings", SETTINGS,
          "acceptedPerSecond", acceptedPerSecond,
          "endedPerSecond", endedPerSecond,
          "latenessP50", lateness.p50(),
          "latenessP99", lateness.p99(),
          "latenessP999", lateness.p999(),
          "lost", lost,
          "doubled", doubled);
    }
  }

  Result run(TaskRun.Settings settings, Path log)
      throws SQLException, IOException, InterruptedException {
    createTable();
    long run = new SplittableRandom().nextLong() >>> 1;
    try (HikariDataSource pool = pool()) {
      ExecutionLog executions = new ExecutionLog(log);
      OneTimeTask<byte[]> task =
          Tasks.oneTime(TaskWorkerMain.HANDLER, byte[].class)
              .execute((instance, _) -> perform(executions, instance));
      Scheduler scheduler =
          Scheduler.create(pool, List.of(task))
              .threads(THREADS)
              .pollUsingLockAndFetch(4.0, 20.0)
              .pollingInterval(POLL)
              .serializer(new RawBytes())
              .build();
      scheduler.start();
      long start = WallClock.micros();
      long measuredFrom = start + settings.warmup().toNanos() / 1_000;
      long end = measuredFrom + settings.duration().toNanos() / 1_000;
      try (TaskLoad load =
          new TaskLoad(
                  jobs -> scheduler.scheduleBatch(instances(task, jobs)),
                  new TaskLoad.Plan(
                      settings.perSecond(),
                      settings.batch(),
                      settings.outstanding(),
                      settings.callers(),
                      start,
                      end),
                  new Payload(run, settings.payloadBytes()),
                  DueTimes.after(settings.delayMin(), settings.delayMax(), run),
                  done::get)
              .start()) {
        waitUntil(measuredFrom);
        Moment from = new Moment(System.nanoTime(), load.accepted(), done.get());
        waitUntil(end);
        Moment until = new Moment(System.nanoTime(), load.accepted(), done.get());
        load.join();
        drain(load.accepted());
        scheduler.stop();
        executions.close();
        Ledger ledger = new Ledger(start, measuredFrom, end);
        ExecutionLog.read(log, ledger);
        double seconds = (until.nanos - from.nanos) / 1e9;
        progress.say("db-scheduler has ended");
        return new Result(
            (until.accepted - from.accepted) / seconds,
            (until.done - from.done) / seconds,
            ledger.lateness(),
            load.missingFrom(ledger).lost(),
            ledger.count().duplicates());
      }
    }
  }

  private record Moment(long nanos, long accepted, long done) {}

  private void createTable() throws SQLException {
    try (Connection connection = rig.connect();
        Statement statement = connection.createStatement()) {
      for (String part : TABLE) {
        statement.execute(part);
      }
    }
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(rig.postgres().jdbcUrl());
    config.setUsername(rig.postgres().user());
    config.setPassword(rig.postgres().password());
    config.setMaximumPoolSize(THREADS + 5);
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    return new HikariDataSource(config);
  }

  private void perform(ExecutionLog executions, TaskInstance<byte[]> instance) {
    try {
      executions.ended(ExecutionLog.begin(instance.getData()));
      done.incrementAndGet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<SchedulableInstance<?>> instances(
      OneTimeTask<byte[]> task, List<Target.Job> jobs) {
    List<SchedulableInstance<?>> instances = new ArrayList<>(jobs.size());
    for (Target.Job job : jobs) {
      instances.add(
          SchedulableInstance.of(
              task.instance(Long.toString(job.sequence()), job.payload()),
              KairosTarget.instant(job.dueMicros())));
    }
    return instances;
  }

  private static void waitUntil(long micros) {
    for (long left = micros - WallClock.micros(); left > 0; left = micros - WallClock.micros()) {
      LockSupport.parkNanos(left * 1_000);
    }
  }

  private void drain(long accepted) {
    long last = -1;
    long quietSince = System.nanoTime();
    while (done.get() < accepted && System.nanoTime() - quietSince < QUIET.toNanos()) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      if (done.get() != last) {
        last = done.get();
        quietSince = System.nanoTime();
      }
    }
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
