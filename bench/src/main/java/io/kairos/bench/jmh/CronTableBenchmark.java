package io.kairos.bench.jmh;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.replica.TickedTable;
import io.kairos.domain.cron.Evaluation;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** One tick of a {@link TickedTable}. A score is entries evaluated a second on one core. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CronTableBenchmark extends HotPieceBenchmark {
  @Param TickedTable.Due due = TickedTable.Due.ALL;

  private @Nullable TickedTable table;

  @Setup
  public void setUp() {
    table = new TickedTable(due);
  }

  @Benchmark
  @OperationsPerInvocation(TickedTable.ENTRIES)
  public Evaluation tick() {
    return requireNonNull(table).tick();
  }
}
