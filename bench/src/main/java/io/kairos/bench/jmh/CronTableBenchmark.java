package io.kairos.bench.jmh;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.Evaluation;
import io.kairos.domain.cron.Periodic;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.page.ReservedPages;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One tick of a cron table with 100,000 periodic entries: their rules asked, and those that are due
 * performed (an action that does nothing), with their next times saved in reserved pages. A score
 * is entries evaluated a second on one core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CronTableBenchmark {
  private static final int ENTRIES = 100_000;
  private static final ComponentId COMPONENT = new ComponentId(1);

  /** Between two ticks, in milliseconds of agreed time. */
  private static final long TICK = 1_000;

  /** Of all entries: at every tick all are due, or after the first tick none for ten years. */
  @Param({"all", "none"})
  String due = "";

  private CronTable table = newTable();
  private long ticks;

  private static CronTable newTable() {
    return new CronTableRegistry(new ReservedPages(1_000), CronListener.NONE).table(COMPONENT);
  }

  @Setup
  public void setUp() {
    table = newTable();
    ticks = 0;
    Duration period = "all".equals(due) ? Duration.ofMillis(TICK) : Duration.ofDays(3_650);
    for (int position = 0; position < ENTRIES; position++) {
      table.add(Periodic.every(table, position, period, _ -> {}));
    }
    Evaluation first = tick();
    if (!first.equals(new Evaluation.Done(ENTRIES, ENTRIES, 0))) {
      throw new IllegalStateException("at its first tick every entry is due, not " + first);
    }
  }

  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public Evaluation tick() {
    ticks++;
    return table.evaluate(new Tick(COMPONENT, ticks, AgreedTime.at(ticks * TICK)));
  }
}
