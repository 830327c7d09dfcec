package io.kairos.bench.dashboard;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.trial.TrialTimes;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Browsers in which the Overview is open, as a node sees them: each asks what the screen asks when
 * it is opened, and then in its rhythm, which is counted from the end of the answer before. Calls
 * that begin in the measured part of a run are counted. Threads of its own, until it is closed.
 */
public final class OverviewClients implements AutoCloseable {
  private static final Duration APART = Duration.ofMillis(730);
  private static final double MICROS_PER_MILLI = 1_000;

  /** As in {@code live.js}: the time between two calls doubles with each failure, up to this. */
  private static final int LONGEST_WAIT_SECONDS = 60;

  private final int count;
  private final TrialTimes times;
  private final List<ScreenClient> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Histogram micros = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(1), 3);
  private final AtomicLong errors = new AtomicLong();
  private volatile String problem = "";
  private volatile boolean ended;

  private OverviewClients(int count, TrialTimes times) {
    this.count = count;
    this.times = times;
  }

  /**
   * Opens them one after the other.
   *
   * @param addresses {@code host:port} of nodes without TLS and callers, which they share
   */
  public static OverviewClients start(String[] addresses, int count, TrialTimes times) {
    OverviewClients all = new OverviewClients(count, times);
    for (int i = 0; i < count; i++) {
      ScreenClient client =
          new ScreenClient(URI.create("http://" + addresses[i % addresses.length]));
      all.clients.add(client);
      Duration after = APART.multipliedBy(i);
      for (ScreenCall call : ScreenCalls.overview()) {
        if (call.everySeconds() != ScreenCall.CHOSEN) {
          all.threads.add(
              Thread.ofVirtual()
                  .name("bench-overview-" + i)
                  .start(() -> all.repeat(client, call, after)));
        }
      }
    }
    return all;
  }

  private void repeat(ScreenClient client, ScreenCall call, Duration after) {
    BenchWait.pass(after);
    int failures = 0;
    while (!ended) {
      failures = make(client, call) ? 0 : failures + 1;
      if (call.everySeconds() == ScreenCall.ONCE) {
        return;
      }
      long wait =
          Math.min(
              (long) call.everySeconds() << Math.min(failures, 6),
              Math.max(call.everySeconds(), LONGEST_WAIT_SECONDS));
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(wait);
      while (!ended && System.nanoTime() - until < 0) {
        LockSupport.parkNanos(until - System.nanoTime());
      }
    }
  }

  /** Returns false for a call that has failed. */
  private boolean make(ScreenClient client, ScreenCall call) {
    long beganMicros = LoadClock.micros();
    boolean counts = beganMicros >= times.measuredFrom() && beganMicros < times.measuredUntil();
    String failure;
    try {
      ScreenClient.Answer answer = client.call(call);
      if (!answer.isError()) {
        if (counts) {
          micros.recordValue(TimeUnit.NANOSECONDS.toMicros(answer.nanos()));
        }
        return true;
      }
      failure = Integer.toString(answer.status());
    } catch (IOException e) {
      failure = e.toString();
    }
    if (counts && !ended) {
      problem = call + ": " + failure;
      errors.incrementAndGet();
    }
    return false;
  }

  /** Adds a row, and asks that no call has failed. */
  public void report(FigureList figures, RunVerdict verdict) {
    figures
        .row("dashboards")
        .count("dashboards.clients", "clients", count)
        .count("dashboards.calls", "calls", micros.getTotalCount())
        .count("dashboards.errors", "failed", errors.get())
        .add(
            "dashboards.p95",
            "p95",
            Unit.MILLIS,
            micros.getValueAtPercentile(95) / MICROS_PER_MILLI)
        .add("dashboards.max", "max", Unit.MILLIS, micros.getMaxValue() / MICROS_PER_MILLI);
    verdict.expect(errors.get() == 0, "calls of dashboards failed, the last: " + problem);
  }

  @Override
  public void close() {
    ended = true;
    threads.forEach(LockSupport::unpark);
    clients.forEach(ScreenClient::close);
  }
}
