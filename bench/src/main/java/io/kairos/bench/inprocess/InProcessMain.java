package io.kairos.bench.inprocess;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kairos.api.text.ResourceText;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.task.PayloadCodec;
import io.kairos.inprocess.Kairos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An application that schedules tasks and performs them, by one of two libraries on the same pool
 * of connections. Writes its figures into a file.
 */
public final class InProcessMain {
  private static final int THREADS = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private InProcessMain() {}

  /** The library. */
  public enum Library {
    KAIROS,
    DB_SCHEDULER
  }

  /**
   * Settings of an application.
   *
   * @param batch tasks of one call; 1 for a call for each
   * @param callers threads that schedule
   */
  public record Settings(
      Library library,
      String url,
      String user,
      String password,
      int tasks,
      int batch,
      int callers,
      String result) {}

  /**
   * What an application has measured.
   *
   * @param performed tasks performed, each counted once
   * @param twice tasks performed more than once
   * @param seconds from the first call to the last task
   * @param startSeconds for the start of the library, on a schema that is there
   * @param connections that the library has in use at the most
   * @param threads platform threads that it has started, without those that run handlers
   */
  public record Figures(
      long performed,
      long twice,
      double seconds,
      double startSeconds,
      int connections,
      int threads) {}

  /** A started library. */
  private interface Started extends AutoCloseable {
    /** Schedules the tasks from one number on, in one call. */
    void schedule(int from, int count);

    @Override
    void close();
  }

  public static void main(String[] arguments) throws Exception {
    Settings settings = BenchProcess.settings(arguments, Settings.class);
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(settings.url);
    pool.setUsername(settings.user);
    pool.setPassword(settings.password);
    pool.setMaximumPoolSize(THREADS + 10);
    pool.setMinimumIdle(0);
    try (HikariDataSource source = new HikariDataSource(pool)) {
      Figures figures = measured(settings, source);
      Files.writeString(Path.of(settings.result), new ObjectMapper().writeValueAsString(figures));
    }
    System.exit(0);
  }

  /** Makes the tables, so that the start of the library that is measured finds them. */
  static void prepare(Library library, HikariDataSource source) throws SQLException {
    switch (library) {
      case KAIROS -> Kairos.inProcess(source).start().close();
      case DB_SCHEDULER -> {
        try (Connection connection = source.getConnection();
            Statement statement = connection.createStatement()) {
          statement.execute(ResourceText.of(InProcessMain.class, "db_scheduler.sql"));
        }
      }
    }
  }

  private static Figures measured(Settings settings, HikariDataSource source)
      throws SQLException, InterruptedException, ExecutionException {
    source.getConnection().close(); // the application has used its pool before
    CountDownLatch left = new CountDownLatch(settings.tasks);
    Set<String> seen = ConcurrentHashMap.newKeySet();
    Set<String> twice = ConcurrentHashMap.newKeySet();
    Consumer<String> handler =
        task -> {
          if (seen.add(task)) {
            left.countDown();
          } else {
            twice.add(task);
          }
        };
    long threadsBefore = threads();
    long beganStart = System.nanoTime();
    try (Started library =
        settings.library == Library.KAIROS
            ? kairos(source, handler)
            : dbScheduler(source, handler)) {
      double startSeconds = (System.nanoTime() - beganStart) / 1e9;
      UsePeak use = new UsePeak(source);
      long began = System.nanoTime();
      scheduleAll(settings, library);
      boolean done = false;
      long until = began + PATIENCE.toNanos();
      int threads = 0;
      while (!done && System.nanoTime() < until) {
        done = left.await(50, TimeUnit.MILLISECONDS);
        use.look();
        threads = Math.max(threads, Math.toIntExact(threads() - threadsBefore));
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      return new Figures(seen.size(), twice.size(), seconds, startSeconds, use.most(), threads);
    }
  }

  private static void scheduleAll(Settings settings, Started library)
      throws InterruptedException, ExecutionException {
    try (ExecutorService callers = Executors.newFixedThreadPool(settings.callers)) {
      List<Future<?>> calls = new ArrayList<>();
      for (int caller = 0; caller < settings.callers; caller++) {
        int first = caller * settings.batch;
        calls.add(
            callers.submit(() -> {
              for (int from = first;
                  from < settings.tasks;
                  from += settings.batch * settings.callers) {
                library.schedule(from, Math.min(settings.batch, settings.tasks - from));
              }
            }));
      }
      for (Future<?> call : calls) {
        call.get();
      }
    }
  }

  /** Platform threads but those that run handlers and those of the pool and the callers. */
  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name ->
            !name.startsWith("kairos-executor") && !name.startsWith("db-scheduler-execute-"))
        .filter(name -> !name.startsWith("HikariPool") && !name.startsWith("pool-"))
        .count();
  }

  /** The most connections in use at a time. */
  private static final class UsePeak {
    private final HikariDataSource source;
    private int most;

    UsePeak(HikariDataSource source) {
      this.source = source;
    }

    void look() {
      most = Math.max(most, source.getHikariPoolMXBean().getActiveConnections());
    }

    int most() {
      return most;
    }
  }

  private static Started kairos(HikariDataSource source, Consumer<String> handler) {
    TaskType<String> type = TaskType.of("bench", PayloadCodec.utf8());
    Kairos kairos =
        Kairos.inProcess(source)
            .concurrency(THREADS)
            .handle(type, (task, _) -> handler.accept(task))
            .start();
    return new Started() {
      @Override
      public void schedule(int from, int count) {
        if (count == 1) {
          kairos.client().schedule(type.task(Integer.toString(from)).build());
          return;
        }
        List<TaskRequest> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          tasks.add(type.task(Integer.toString(from + i)).build());
        }
        kairos.client().schedule(tasks);
      }

      @Override
      public void close() {
        kairos.close();
      }
    };
  }

  /** As its documentation advises for a high throughput on Postgres. */
  private static Started dbScheduler(HikariDataSource source, Consumer<String> handler) {
    OneTimeTask<String> type =
        Tasks.oneTime("bench", String.class)
            .execute((instance, _) -> handler.accept(instance.getId()));
    Scheduler scheduler =
        Scheduler.create(source, type)
            .threads(THREADS)
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(Duration.ofMillis(100))
            .enableImmediateExecution()
            .build();
    scheduler.start();
    return new Started() {
      @Override
      public void schedule(int from, int count) {
        Instant now = Instant.now();
        if (count == 1) {
          String id = Integer.toString(from);
          scheduler.schedule(type.instance(id, id), now);
          return;
        }
        List<TaskInstance<?>> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          String id = Integer.toString(from + i);
          tasks.add(type.instance(id, id));
        }
        scheduler.scheduleBatch(tasks, now);
      }

      @Override
      public void close() {
        scheduler.stop();
      }
    };
  }

  /** Reads what an application has written. */
  static Figures figures(Path file) throws IOException {
    return new ObjectMapper().readValue(Files.readString(file), Figures.class);
  }
}
