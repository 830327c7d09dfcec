package io.kairos.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.WebClient;
import io.kairos.domain.pool.EndpointEjection;
import io.kairos.domain.pool.EndpointRouting.Candidate;
import io.kairos.domain.pool.EndpointState;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.cluster.LatenessTally;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** One address of a pool, with its health, load and latency. Thread-safe. */
final class PushTarget {
  /** Weight of a new value in the moving mean of the latency. */
  private static final double WEIGHT = 0.2;

  private static final int MOST_EJECTIONS = 1_000;
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final String id;
  private final EndpointUrl url;
  private final WebClient client;

  @GuardedBy("this")
  private EndpointState state = EndpointState.Serving.NEW;

  @GuardedBy("this")
  private int inFlight;

  @GuardedBy("this")
  private double tookNanos;

  @GuardedBy("this")
  private double turns;

  @GuardedBy("this")
  private final LatenessTally answers = new LatenessTally();

  /** When it was ejected in the last hour. */
  @GuardedBy("this")
  private final Deque<Long> ejectedNanos = new ArrayDeque<>();

  PushTarget(String id, EndpointUrl url, WebClient client) {
    this.id = id;
    this.url = url;
    this.client = client;
  }

  String id() {
    return id;
  }

  EndpointUrl url() {
    return url;
  }

  WebClient client() {
    return client;
  }

  /**
   * The target for the choice of an endpoint; one with a share of 0 must not be chosen.
   *
   * @param leastTurns the turns of the target that was chosen last
   */
  synchronized Candidate candidate(long nowNanos, EndpointEjection rules, double leastTurns) {
    return new Candidate(
        id, state.share(nowNanos, rules), inFlight, tookNanos, Math.max(turns, leastTurns));
  }

  /** Begins a request; false when it has just been ejected. */
  synchronized boolean begin(long nowNanos, EndpointEjection rules, double leastTurns) {
    double share = state.share(nowNanos, rules);
    if (share == 0) {
      return false;
    }
    turns = Math.max(turns, leastTurns) + 1 / share;
    state = state.chosen(nowNanos);
    inFlight++;
    return true;
  }

  /** Ends a request with an answer of a healthy endpoint. */
  synchronized void succeeded(long nowNanos, long took) {
    inFlight--;
    tookNanos = tookNanos == 0 ? took : tookNanos + WEIGHT * (took - tookNanos);
    state = state.succeeded(nowNanos);
  }

  /** Counts an answer. */
  synchronized void answered(long took) {
    answers.add(TimeUnit.NANOSECONDS.toMicros(took));
  }

  /**
   * Its work at the moment, and how long answers took since the last call. Called by one thread.
   */
  synchronized EndpointWork takeWork(long nowNanos) {
    while (!ejectedNanos.isEmpty() && nowNanos - ejectedNanos.getFirst() > HOUR_NANOS) {
      ejectedNanos.removeFirst();
    }
    return new EndpointWork(inFlight, isEjected() ? 1 : 0, ejectedNanos.size(), answers.take());
  }

  /** Ends a failed request; true when the endpoint is ejected by it. */
  synchronized boolean failed(long nowNanos, EndpointEjection rules) {
    inFlight--;
    boolean before = state instanceof EndpointState.Ejected;
    state = state.failed(nowNanos, rules);
    boolean isEjected = !before && state instanceof EndpointState.Ejected;
    if (isEjected && ejectedNanos.size() < MOST_EJECTIONS) {
      ejectedNanos.addLast(nowNanos);
    }
    return isEjected;
  }

  /** Ends a request that says nothing about the endpoint's health. */
  synchronized void undecided(long nowNanos) {
    inFlight--;
    state = state.undecided(nowNanos);
  }

  /** True while the target is ejected. */
  synchronized boolean isEjected() {
    return !(state instanceof EndpointState.Serving);
  }
}
