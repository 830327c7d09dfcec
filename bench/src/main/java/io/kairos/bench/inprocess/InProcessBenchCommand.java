package io.kairos.bench.inprocess;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kairos.bench.inprocess.InProcessMain.Figures;
import io.kairos.bench.inprocess.InProcessMain.Library;
import io.kairos.bench.inprocess.InProcessMain.Settings;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ValueSpread;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.trial.TrialReport;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.PostgresOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench inprocess}: one application with Kairos inside, and one with db-scheduler. */
@Command(
    name = "inprocess",
    mixinStandardHelpOptions = true,
    description = {
      "Starts an application that schedules tasks and performs them by ten threads, by turns with Kairos inside and with",
      "db-scheduler, each in a JVM of its own with the same options, on the same pool, on a new database of one Postgres.",
      "Exit code 0: three times as many tasks a second at least, at most 6 connections, 12 threads and 1.5 s to start;",
      "1: not; 3: void, tasks were not performed."
    })
public final class InProcessBenchCommand extends BenchCommand {
  private static final double LEAST_RATIO = 3;
  private static final int MOST_CONNECTIONS = 6;
  private static final int MOST_THREADS = 12;
  private static final double MOST_START_SECONDS = 1.5;

  @Option(names = "--tasks", defaultValue = "200000", description = "Tasks of a round.")
  int tasks;

  @Option(
      names = "--batch",
      defaultValue = "100",
      description = "Tasks that are scheduled by one call.")
  int batch;

  @Option(names = "--callers", defaultValue = "4", description = "Threads that schedule.")
  int callers;

  @Option(names = "--rounds", defaultValue = "5", description = "Rounds of each library.")
  int rounds;

  @Override
  protected int run() throws IOException, SQLException, InterruptedException {
    require(tasks >= 1 && batch >= 1 && batch <= 1_000, "--tasks and --batch must be at least 1");
    require(callers >= 1 && rounds >= 1, "--callers and --rounds must be at least 1");
    Path folder = Files.createTempDirectory("kairos-inprocess");
    Map<Library, List<Figures>> measured = new EnumMap<>(Library.class);
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(PostgresOptions.in(folder.resolve("postgres")))) {
      for (int round = 1; round <= rounds; round++) {
        for (Library library : Library.values()) {
          Figures figures = round(postgres, library, folder);
          measured.computeIfAbsent(library, _ -> new ArrayList<>()).add(figures);
          progress.say("round %d, %s: %,.0f tasks/s".formatted(round, library, rate(figures)));
        }
      }
    }
    return show("result", report(measured));
  }

  private Figures round(EmbeddedPostgres postgres, Library library, Path folder)
      throws IOException, SQLException, InterruptedException {
    String url = postgres.newDatabase();
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url);
    pool.setUsername(postgres.user());
    pool.setPassword(postgres.password());
    try (HikariDataSource source = new HikariDataSource(pool)) {
      InProcessMain.prepare(library, source);
    }
    Path result = Files.createTempFile(folder, "result", ".json");
    Settings settings =
        new Settings(
            library,
            url,
            postgres.user(),
            postgres.password(),
            tasks,
            batch,
            callers,
            result.toString());
    Path log = folder.resolve("application.log");
    try (BenchProcess application = BenchProcess.worker(InProcessMain.class, settings, log)) {
      var _ = application.endedMicros();
    }
    if (Files.size(result) == 0) {
      throw new IllegalStateException("an application has failed: " + log + " says why");
    }
    return InProcessMain.figures(result);
  }

  private static double rate(Figures figures) {
    return figures.performed() / figures.seconds();
  }

  private static double median(List<Figures> all, ToDoubleFunction<Figures> of) {
    return ValueSpread.of(all.stream().mapToDouble(of).boxed().toList()).median();
  }

  private TrialReport report(Map<Library, List<Figures>> measured) {
    List<Figures> ours = measured.getOrDefault(Library.KAIROS, List.of());
    List<Figures> theirs = measured.getOrDefault(Library.DB_SCHEDULER, List.of());
    double ratio =
        median(ours, InProcessBenchCommand::rate) / median(theirs, InProcessBenchCommand::rate);
    FigureList list = new FigureList();
    rows(list, "kairos", ours);
    rows(list, "dbScheduler", theirs);
    list.row("kairos to db-scheduler").add("ratio", "tasks/s", Unit.RATIO, ratio);
    boolean whole =
        measured.values().stream().flatMap(List::stream).allMatch(one -> one.performed() == tasks);
    RunVerdict verdict =
        new RunVerdict()
            .demand(whole, "tasks were not performed")
            .expect(ours.stream().allMatch(one -> one.twice() == 0), "a task was performed twice")
            .expect(ratio >= LEAST_RATIO, "less than three times as many tasks a second")
            .expect(
                median(ours, Figures::connections) <= MOST_CONNECTIONS,
                "more than " + MOST_CONNECTIONS + " connections")
            .expect(
                median(ours, Figures::threads) <= MOST_THREADS,
                "more than " + MOST_THREADS + " threads")
            .expect(
                median(ours, Figures::startSeconds) <= MOST_START_SECONDS,
                "a start of more than " + MOST_START_SECONDS + " s");
    return new TrialReport(list, verdict);
  }

  private static void rows(FigureList list, String name, List<Figures> all) {
    list.row(name)
        .add(name + "Rate", "median", Unit.PER_SECOND, median(all, InProcessBenchCommand::rate))
        .add(name + "Start", "start", Unit.SECONDS, median(all, Figures::startSeconds))
        .add(name + "Connections", "connections", Unit.COUNT, median(all, Figures::connections))
        .add(
            name + "Threads",
            "threads beside those of handlers",
            Unit.COUNT,
            median(all, Figures::threads));
  }
}
