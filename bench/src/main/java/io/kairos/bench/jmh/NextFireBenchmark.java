package io.kairos.bench.jmh;

import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.ScheduleClock;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.cron.DayMatch;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The next fire time after any instant of ten years, in a zone with changes: from the simplest
 * expression to those that come once in decades. A score is evaluations a second.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class NextFireBenchmark extends HotPieceBenchmark {
  private static final int INSTANTS = 1 << 12;

  @Param({
    "*/5 * * * *",
    "30 2 * * *",
    "0 9 LW * *",
    "0 0 29 2 *",
    "0 0 29 2 MON",
    "0 0 LW 2 MON#5",
    "59 59 23 29 2 MON#5 2196"
  })
  String expression = "";

  private final Instant[] instants = new Instant[INSTANTS];
  private FireTimes times = fireTimes("* * * * *");
  private int next;

  private static FireTimes fireTimes(String text) {
    CronSyntax syntax = new CronSyntax(CronDialect.UNIX, DayMatch.BOTH);
    return new TimeRule(
            TimePattern.parse(text, syntax, "", Instant.EPOCH),
            RuleTerms.in(ScheduleClock.in(ZoneId.of("Europe/Berlin"))))
        .fireTimes(Map.of());
  }

  @Setup
  public void setUp() {
    times = fireTimes(expression);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < INSTANTS; i++) {
      instants[i] = Instant.ofEpochSecond(1_795_000_000L + random.nextInt(315_360_000));
    }
  }

  @Benchmark
  public Optional<Instant> next() {
    next = (next + 1) & (INSTANTS - 1);
    return times.next(instants[next]);
  }
}
