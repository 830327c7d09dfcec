package io.kairos.bench.measure;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the resources that a run uses: processor time of its parts, and figures of Postgres and the
 * collectors' logs. The difference of two readings is the cost. Used by one thread.
 */
public final class ResourceMeter {
  private static final double NANOS_PER_MICRO = 1_000;

  private final List<Part> parts = new ArrayList<>();
  private @Nullable StoreTable table;
  private Supplier<List<Path>> gcLogs = List::of;

  private record Part(String name, boolean counts, Supplier<Duration> time) {}

  private record StoreTable(Connection connection, String name) {}

  /** A sample of one moment. */
  public record Reading(Instant at, List<Duration> times, @Nullable StoreFigures store) {}

  /**
   * Adds processes.
   *
   * @param counts they belong to what is measured; others only share the cores
   * @param time of the processor, since their start
   */
  public ResourceMeter part(String name, boolean counts, Supplier<Duration> time) {
    parts.add(new Part(name, counts, time));
    return this;
  }

  /** Adds this process, which makes the load. */
  public ResourceMeter load() {
    return part("load", false, () -> ProcessorTime.ofProcess(ProcessHandle.current().pid()));
  }

  /** Adds Postgres' own figures with those of one table. */
  public ResourceMeter table(Connection connection, String name) {
    table = new StoreTable(connection, name);
    return this;
  }

  /** Adds the pauses of JVMs with such logs. */
  public ResourceMeter pauses(Supplier<List<Path>> logs) {
    gcLogs = logs;
    return this;
  }

  public Reading read() throws SQLException {
    return new Reading(
        Instant.now(),
        parts.stream().map(part -> part.time.get()).toList(),
        table == null ? null : StoreFigures.read(table.connection, table.name));
  }

  /** Microseconds of processor time of what counts, for each of so many. */
  public double micros(Reading from, Reading until, long count) {
    double sum = 0;
    for (int i = 0; i < parts.size(); i++) {
      sum += parts.get(i).counts ? micros(i, from, until) : 0;
    }
    return sum / Math.max(1, count);
  }

  private static double micros(int part, Reading from, Reading until) {
    return until.times.get(part).minus(from.times.get(part)).toNanos() / NANOS_PER_MICRO;
  }

  /**
   * Says what was used up between two readings.
   *
   * @param count messages or tasks meanwhile
   */
  public void report(Reading from, Reading until, long count, FigureList figures) {
    double seconds = Duration.between(from.at, until.at).toNanos() / 1e9;
    double all = 0;
    figures.row("CPU of each").add("cpuMicros", "", Unit.MICROS, micros(from, until, count));
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      double micros = micros(i, from, until);
      all += micros;
      figures.add(
          part.name + "Micros",
          part.counts ? part.name : "besides " + part.name,
          Unit.DECIMAL,
          micros / Math.max(1, count));
    }
    figures.add("coresBusy", "cores busy", Unit.DECIMAL, all / 1e6 / seconds);
    if (from.store != null && until.store != null) {
      store(from.store, until.store, seconds, count, figures);
    }
    pauses(from.at, until.at, figures);
  }

  private static void store(
      StoreFigures from, StoreFigures until, double seconds, long count, FigureList figures) {
    double each = Math.max(1, count);
    figures
        .row("log of each")
        .count("walBytes", "bytes", since("wal_bytes", from, until) / each)
        .add("pageImages", "page images", Unit.DECIMAL, since("page_images", from, until) / each)
        .add(
            "commitsPerSecond", "commits", Unit.PER_SECOND, since("commits", from, until) / seconds)
        .add(
            "walSyncsPerSecond",
            "flushes",
            Unit.PER_SECOND,
            since("wal_syncs", from, until) / seconds)
        .row("table and indexes")
        .add("tableBytes", "", Unit.BYTES, until.get("table_bytes"))
        .add("tableBytesBefore", "before", Unit.BYTES, from.get("table_bytes"))
        .count("deadRows", "dead rows", until.get("dead_rows"))
        .count("checkpoints", "checkpoints", since("checkpoints", from, until))
        .count("autovacuums", "autovacuums", since("autovacuums", from, until));
  }

  private static double since(String name, StoreFigures from, StoreFigures until) {
    return until.get(name) - from.get(name);
  }

  private void pauses(Instant from, Instant until, FigureList figures) {
    List<GcLog.Pauses> pauses =
        gcLogs.get().stream().map(log -> GcLog.read(log, from, until)).toList();
    for (GcLog.Pauses of : pauses) {
      figures.row("node's pauses").note(of.toString());
    }
    figures.only("pauseMaxMillis", pauses.stream().map(GcLog.Pauses::pauseMaxMillis).toList());
  }

  /** The most memory that a process ever had. */
  public static void peakMemory(long pid, FigureList figures) {
    figures
        .row("node's memory")
        .add("peakResidentBytes", "peak", Unit.BYTES, ProcessMemory.peakResident(pid));
  }
}
