package io.kairos.bench.jmh;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.TickEvaluation;
import io.kairos.domain.page.ReservedPages;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * One tick of a cron table with {@value #ENTRIES} periodic entries that do nothing, and no log:
 * what a tick of it costs is what its evaluation costs, with next times saved in reserved pages. A
 * score is entries evaluated a second on one core.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CronTableBenchmark extends HotPieceBenchmark {
  private static final int ENTRIES = 100_000;
  private static final ComponentId COMPONENT = new ComponentId(1);
  private static final long MAX_BYTES = 1 << 22;

  /** Between two ticks, of agreed time. */
  private static final Duration TICK = Duration.ofSeconds(1);

  /** The entries that are due at each tick after the first. */
  public enum Due {
    ALL(TICK, ENTRIES),
    /** No entry, because the period is ten years. */
    NONE(Duration.ofDays(3_650), 0);

    private final Duration period;
    private final int entries;

    Due(Duration period, int entries) {
      this.period = period;
      this.entries = entries;
    }
  }

  @Param Due due = Due.ALL;

  private CronTable table = emptyTable();
  private long ticks;

  private static CronTable emptyTable() {
    return new CronTableRegistry(new ReservedPages(MAX_BYTES), CronListener.NONE).table(COMPONENT);
  }

  /** A table that has had its first tick, at which every entry is due. */
  @Setup
  public void setUp() {
    table = emptyTable();
    for (int position = 0; position < ENTRIES; position++) {
      table.add(PeriodicEntries.every(table, position, due.period, _ -> {}));
    }
    ticks = 0;
    evaluate(ENTRIES);
  }

  /** The next tick: asks the rule of every entry, and lets those act that are due. */
  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public TickEvaluation tick() {
    return evaluate(due.entries);
  }

  private TickEvaluation evaluate(int entriesDue) {
    ticks++;
    TickEvaluation done =
        table.evaluate(new Tick(COMPONENT, ticks, AgreedTime.at(ticks * TICK.toMillis())));
    TickEvaluation expected = new TickEvaluation.Done(ENTRIES, entriesDue, 0);
    if (!done.equals(expected)) {
      throw new IllegalStateException("tick %d: %s, not %s".formatted(ticks, done, expected));
    }
    return done;
  }
}
