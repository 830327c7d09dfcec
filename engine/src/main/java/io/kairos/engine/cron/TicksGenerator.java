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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends the ticks of one replica. {@link #start}, {@link #stop} and {@link #period} may be called
 * by any thread; everything else, including the record of pending ticks, is used on the log's
 * thread only.
 *
 * <p>At most one tick of a component is pending, which means in the log's queue, or sent and not
 * yet executed. A second one is dropped, because a later tick serves as well, and ticks that pile
 * up would time out and look like a leader that hangs.
 */
public final class TicksGenerator {
  private static final Duration LONGEST = Duration.ofDays(1);

  /** The longest wait between two looks, for components that are started in the meantime. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final ReplicatedLog log;
  private final TickRounds rounds;
  private final TickRotation rotation;
  private final MonotonicClock monotonic;
  private final @Nullable InstantSource clock;
  private final AtomicLong dropped = new AtomicLong();
  private volatile long lookAtNanos;

  /** Unmodifiable; replaced as a whole. */
  private final AtomicReference<SortedMap<ComponentId, Duration>> periods =
      new AtomicReference<>(Collections.emptySortedMap());

  private final TreeMap<ComponentId, Sending> sendings = new TreeMap<>();

  /** The ticks of one component. */
  private static final class Sending {
    private TickSender sender;

    /** The request number of the last tick; 0 before the first. */
    private long request;

    /** True while that request is in the log's queue. */
    private boolean isQueued;

    Sending(TickSender sender) {
      this.sender = sender;
    }
  }

  /**
   * Creates a generator without components.
   *
   * @param rounds of the machine that the log drives
   * @param clock this replica's clock; null when there is no agreed time
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
   * Ticks for a component from now on, with this period. A period of zero stops the ticks.
   *
   * @param period whole milliseconds, at most a day
   */
  public void start(ComponentId component, Duration period) {
    require(
        isWholeMillis(period, Duration.ZERO, LONGEST),
        "ticks come every 1 ms to 24 hours, in whole milliseconds, not every ",
        period);
    periods.updateAndGet(before -> {
      TreeMap<ComponentId, Duration> changed = new TreeMap<>(before);
      if (period.isZero()) {
        changed.remove(component);
      } else {
        changed.put(component, period);
      }
      return Collections.unmodifiableSortedMap(changed);
    });
  }

  /** Stops the ticks of a component. */
  public void stop(ComponentId component) {
    start(component, Duration.ZERO);
  }

  /** The tick period of a component; empty if it has no ticks. */
  public Optional<Duration> period(ComponentId component) {
    return Optional.ofNullable(periods.get().get(component));
  }

  /** The number of ticks that were dropped because one was pending. May be called by any thread. */
  public long dropped() {
    return dropped.get();
  }

  /**
   * Sends due ticks and returns the wait until the next look. Called when that wait is over, and
   * after each executed tick.
   */
  public Duration look() {
    SortedMap<ComponentId, Duration> wanted = periods.get();
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

  /** The wait until the next look; zero if a look is due. May be called by any thread. */
  public Duration untilLook() {
    return Duration.ofNanos(Math.max(0, lookAtNanos - monotonic.nanos()));
  }

  /** Forgets components that want no more ticks, except while one of their ticks is pending. */
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
