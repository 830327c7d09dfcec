package io.kairos.engine.cron;

import static io.kairos.domain.check.ArgumentCheck.isWholeMillis;
import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.round.TickRotation;
import io.kairos.domain.cron.round.TickRounds;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.PendingState;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends the ticks of one replica. {@link #start}, {@link #stop} and {@link #period} are for any
 * thread; all else, including the record of pending ticks, is touched on the log's thread only.
 *
 * <p>At most one tick of a component is pending: in the log's queue, or taken up and not yet
 * executed. What would be a second one is dropped, not kept: a later tick does as well, and ticks
 * that pile up would time out and look like a leader that hangs.
 */
public final class TicksGenerator {
  private static final Duration LONGEST = Duration.ofDays(1);

  /** The longest wait between two looks, for components that are started meanwhile. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final ReplicatedLog log;
  private final TickRounds rounds;
  private final TickRotation rotation;
  private final MonotonicClock monotonic;
  private final @Nullable InstantSource clock;
  private final AtomicLong dropped = new AtomicLong();
  private volatile long lookAtNanos;

  /** Replaced as a whole; unmodifiable. */
  private volatile SortedMap<ComponentId, Duration> periods = new TreeMap<>();

  private final TreeMap<ComponentId, Sending> sendings = new TreeMap<>();

  /** What is sent for one component. */
  private static final class Sending {
    private TickSender sender;

    /** The last tick's number; 0 before the first. */
    private long request;

    /** Whether that is in the log's queue. */
    private boolean isQueued;

    Sending(TickSender sender) {
      this.sender = sender;
    }
  }

  /**
   * Ticks for nothing until it is told to.
   *
   * @param rounds of the machine that the log drives
   * @param clock what this replica's readings are of; null with time off
   */
  public TicksGenerator(
      ReplicatedLog log,
      TickRounds rounds,
      MonotonicClock monotonic,
      @Nullable InstantSource clock) {
    this.log = log;
    this.rounds = rounds;
    this.rotation = new TickRotation(log.cluster());
    this.monotonic = monotonic;
    this.clock = clock;
    this.lookAtNanos = monotonic.nanos();
    log.onConsumed(this::consumed);
  }

  /**
   * Ticks for a component from now on; if it does already, with the new period. A period of zero
   * stops it.
   *
   * @param period whole milliseconds up to a day
   */
  public synchronized void start(ComponentId component, Duration period) {
    require(
        isWholeMillis(period, Duration.ZERO, LONGEST),
        "ticks come every 1 ms to 24 hours, in whole milliseconds, not every ",
        period);
    TreeMap<ComponentId, Duration> changed = new TreeMap<>(periods);
    if (period.isZero()) {
      changed.remove(component);
    } else {
      changed.put(component, period);
    }
    periods = Collections.unmodifiableSortedMap(changed);
  }

  /** Ticks for a component no longer. */
  public void stop(ComponentId component) {
    start(component, Duration.ZERO);
  }

  /** How often it ticks for a component; empty if it does not. */
  public Optional<Duration> period(ComponentId component) {
    return Optional.ofNullable(periods.get(component));
  }

  /** Ticks that were due and dropped, because one was pending: for metrics. Any thread. */
  public long dropped() {
    return dropped.get();
  }

  /**
   * Sends what is due and says when it wants to look again. Called whenever that time has come, and
   * after each tick that was executed.
   */
  public Duration look() {
    SortedMap<ComponentId, Duration> wanted = periods;
    forgetOthersThan(wanted);
    long wait = LONGEST_WAIT.toNanos();
    long shortest = wait;
    for (Map.Entry<ComponentId, Duration> component : wanted.entrySet()) {
      wait = Math.min(wait, look(component.getKey(), component.getValue()));
      shortest = Math.min(shortest, component.getValue().toNanos());
    }
    // Whoever sleeps until then is not woken by a tick that is executed meanwhile: that may bring
    // the next one forward, but to no sooner than a period from now.
    lookAtNanos = monotonic.nanos() + Math.min(wait, shortest);
    return Duration.ofNanos(wait);
  }

  /**
   * How long until it is to look again, for whoever sleeps until then; zero if a look is due. Any
   * thread.
   */
  public Duration untilLook() {
    return Duration.ofNanos(Math.max(0, lookAtNanos - monotonic.nanos()));
  }

  /** Forgets components that want no ticks any more, except while a tick of theirs is pending. */
  private void forgetOthersThan(SortedMap<ComponentId, Duration> wanted) {
    Iterator<Map.Entry<ComponentId, Sending>> all = sendings.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<ComponentId, Sending> each = all.next();
      if (!wanted.containsKey(each.getKey()) && !isPending(each.getKey(), each.getValue())) {
        all.remove();
      }
    }
  }

  private long look(ComponentId component, Duration period) {
    long now = monotonic.nanos();
    long round = rounds.round(component);
    Sending sending =
        sendings.computeIfAbsent(
            component, _ -> new Sending(new TickSender(rotation, log.self(), period, round, now)));
    if (!sending.sender.period().equals(period)) {
      sending.sender = new TickSender(rotation, log.self(), period, round, now);
    }
    if (isPending(component, sending)) {
      sending.sender.see(round, now);
      if (now - sending.sender.dueNanos() >= 0) {
        dropped.incrementAndGet();
        return period.toNanos(); // looked at sooner when the pending one is executed
      }
    } else {
      OptionalLong due = sending.sender.due(round, rounds.hasTicked(component, log.self()), now);
      due.ifPresent(next -> send(component, sending, next));
    }
    return Math.max(0, sending.sender.dueNanos() - now);
  }

  private boolean isPending(ComponentId component, Sending sending) {
    return sending.isQueued
        || (sending.request > 0
            && log.pending(client(component), sending.request) == PendingState.ORDERING);
  }

  private ClientId client(ComponentId component) {
    return ClientId.ofTicks(log.self(), component);
  }

  private void send(ComponentId component, Sending sending, long round) {
    ClientId client = client(component);
    sending.request = Math.max(sending.request, log.lastRequest(client)) + 1;
    sending.isQueued = true;
    long request = sending.request;
    InstantSource readFrom = clock;
    Long reading = readFrom == null ? null : readFrom.millis();
    log.submit(
        client,
        request,
        new LogCommand.Tick(component, round, reading).encode(),
        _ -> unmark(sending, request));
  }

  private void consumed(ClientId client, long request) {
    sendings.forEach((component, sending) -> {
      if (client(component).equals(client)) {
        unmark(sending, request);
      }
    });
  }

  private static void unmark(Sending sending, long request) {
    if (sending.request == request) {
      sending.isQueued = false;
    }
  }
}
