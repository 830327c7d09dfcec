package io.kairos.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcLogTest {
  private static final String LOG =
      """
      [1000ms] Using The Z Garbage Collector
      [2096ms] Safepoint "ZMarkStartYoung", Time since last: 1998251950 ns, Reaching safepoint: 118463 ns, At safepoint: 22183 ns, Leaving safepoint: 12527 ns, Total: 153173 ns, Threads: 1 runnable, 10 total
      [2109ms] GC(0) Minor Collection (Allocation Rate) 14M(11%)->12M(9%) 0.013s
      [2110ms] Allocation Stall (node-fire) 12.345ms
      [3255ms] GC(1) Major Collection (Warmup)
      [4109ms] Safepoint "G1CollectForAllocation", Time since last: 2311522812 ns, Reaching safepoint: 3601 ns, At safepoint: 9701387 ns, Leaving safepoint: 1834626 ns, Total: 11539614 ns, Threads: 0 runnable, 10 total
      [4110ms] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 15M->4M(128M) 9.610ms
      """;

  @TempDir Path folder;

  @Test
  void pauses_and_waits_for_memory_are_counted_within_the_given_time() throws IOException {
    Path log = Files.writeString(folder.resolve("gc.log"), LOG);

    GcLog.Pauses all = GcLog.read(log, Instant.ofEpochMilli(0), Instant.ofEpochMilli(5_000));
    GcLog.Pauses first = GcLog.read(log, Instant.ofEpochMilli(2_000), Instant.ofEpochMilli(3_000));

    assertThat(all.collections()).isEqualTo(2);
    assertThat(all.pauses()).isEqualTo(2);
    assertThat(all.pauseMaxMillis()).isBetween(11.5, 11.6);
    assertThat(first.pauses()).isEqualTo(1);
    assertThat(first.pauseTotalMillis()).isEqualTo(0.153);
    assertThat(first.stalls()).isEqualTo(1);
    assertThat(first.stallMaxMillis()).isEqualTo(12.345);
  }

  @Test
  void a_log_that_is_not_there_says_that_nothing_happened() {
    assertThat(
            GcLog.read(folder.resolve("none"), Instant.EPOCH, Instant.MAX.minusSeconds(1)).pauses())
        .isZero();
  }
}
