package io.kairos.bench.dashboard;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Makes calls one after the other, each once in a round, so that what the store has read for one is
 * not always still at hand for the same. Used by one thread.
 */
final class CallRounds {
  private static final Duration MOST_P95 = Duration.ofMillis(500);
  private static final double MICROS_PER_MILLI = 1_000;

  private final List<Timed> timed;
  private final ScreenClient client;
  private long made;

  /** What has been measured of a call. */
  private static final class Timed {
    final ScreenCall call;
    final Histogram micros = new Histogram(TimeUnit.MINUTES.toMicros(1), 3);
    int bytes;
    int errors;
    String problem = "";

    Timed(ScreenCall call) {
      this.call = call;
    }
  }

  CallRounds(List<ScreenCall> calls, ScreenClient client) {
    this.timed = calls.stream().map(Timed::new).toList();
    this.client = client;
  }

  /** Makes rounds that are not measured. */
  void warmUp(int rounds) {
    run(rounds);
    timed.forEach(each -> each.micros.reset());
    made = 0;
  }

  /** Makes rounds. */
  void run(int rounds) {
    for (int round = 0; round < rounds; round++) {
      timed.forEach(this::make);
    }
  }

  private void make(Timed each) {
    made++;
    try {
      ScreenClient.Answer answer = client.call(each.call);
      if (!answer.isError()) {
        each.bytes = answer.bytes();
        each.micros.recordValue(TimeUnit.NANOSECONDS.toMicros(answer.nanos()));
        return;
      }
      each.problem = Integer.toString(answer.status());
    } catch (IOException e) {
      each.problem = e.toString();
    }
    each.errors++;
  }

  /** Calls that were measured. */
  long made() {
    return made;
  }

  /** Adds a line for each call and for each screen, and the worst of the calls. */
  void report(FigureList figures, RunVerdict verdict) {
    List<FigureColumns> calls = new ArrayList<>();
    Map<String, Histogram> screens = new LinkedHashMap<>();
    Timed worst = timed.getFirst();
    List<String> failed = new ArrayList<>();
    for (Timed each : timed) {
      if (each.errors > 0) {
        failed.add("%s (%d times, %s)".formatted(each.call, each.errors, each.problem));
      }
      screens.computeIfAbsent(each.call.screen(), _ -> new Histogram(each.micros)).add(each.micros);
      calls.add(
          columns(each.call.screen(), each.micros)
              .add("bytes", "bytes", Unit.COUNT, each.bytes)
              .add("call", "call", Unit.TEXT, each.call.what()));
      worst = p95(each.micros) > p95(worst.micros) ? each : worst;
    }
    figures
        .lines("calls", calls)
        .lines(
            "screens",
            screens.entrySet().stream()
                .map(screen -> columns(screen.getKey(), screen.getValue()))
                .toList())
        .row("calls")
        .count("made", "made", made)
        .count("callsFailed", "that have failed at least once", failed.size())
        .row("worst p95")
        .add("worstP95Millis", "", Unit.MILLIS, p95(worst.micros))
        .add("worstCall", "of", Unit.TEXT, worst.call)
        .note("asked: at most 500 ms, aim 150 ms");
    verdict
        .expect(failed.isEmpty(), "calls that failed: " + String.join(", ", failed))
        .expect(p95(worst.micros) <= MOST_P95.toMillis(), "a call's p95 is above 500 ms");
  }

  private static FigureColumns columns(String screen, Histogram micros) {
    return new FigureColumns()
        .add("screen", "screen", Unit.TEXT, screen)
        .add("count", "calls", Unit.COUNT, micros.getTotalCount())
        .add("p50Millis", "p50", Unit.MILLIS, micros.getValueAtPercentile(50) / MICROS_PER_MILLI)
        .add("p95Millis", "p95", Unit.MILLIS, p95(micros))
        .add("maxMillis", "max", Unit.MILLIS, micros.getMaxValue() / MICROS_PER_MILLI);
  }

  private static double p95(Histogram micros) {
    return micros.getValueAtPercentile(95) / MICROS_PER_MILLI;
  }
}
