package io.kairos.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.WebClient;
import io.kairos.domain.pool.EndpointEjection;
import io.kairos.domain.pool.EndpointRouting.Candidate;
import io.kairos.domain.pool.EndpointState;
import io.kairos.domain.pool.EndpointUrl;

/** One address of a pool, with its health, load and latency. Thread-safe. */
final class PushTarget {
  /** Weight of a new value in the moving mean of the latency. */
  private static final double WEIGHT = 0.2;

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

  /** Begins a request; false when another thread has just begun the only probe. */
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

  /** Ends a failed request; true when the endpoint is ejected by it. */
  synchronized boolean failed(long nowNanos, EndpointEjection rules) {
    inFlight--;
    boolean before = state instanceof EndpointState.Ejected;
    state = state.failed(nowNanos, rules);
    return !before && state instanceof EndpointState.Ejected;
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
