package io.kairos.server.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.SessionProtocol;
import io.kairos.domain.pool.Ejection;
import io.kairos.domain.pool.EndpointState;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Routing.Candidate;

/** One address of a pool, and what is known of it. Thread-safe. */
final class Target {
  /** Of a new value in the mean of how long it takes. */
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

  Target(String id, EndpointUrl url, SessionProtocol protocol, Endpoint endpoint, Caller caller) {
    this.id = id;
    this.url = url;
    this.client =
        WebClient.builder(protocol, endpoint)
            .factory(caller.factory())
            .maxResponseLength(0) // the reader stops by itself
            .build();
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

  /** With a share of 0 it may not be chosen. */
  synchronized Candidate candidate(long nowNanos, Ejection rules) {
    return new Candidate(id, state.share(nowNanos, rules), inFlight, tookNanos);
  }

  /** Begins a request; false when somebody else has just begun the one that probes. */
  synchronized boolean begin(long nowNanos, Ejection rules) {
    if (state.share(nowNanos, rules) == 0) {
      return false;
    }
    state = state.chosen(nowNanos);
    inFlight++;
    return true;
  }

  /** Ends a request that was answered as one answers that is well. */
  synchronized void succeeded(long nowNanos, long took) {
    inFlight--;
    tookNanos = tookNanos == 0 ? took : tookNanos + WEIGHT * (took - tookNanos);
    state = state.succeeded(nowNanos);
  }

  /** Ends one that was not; true when the endpoint is left out from now on. */
  synchronized boolean failed(long nowNanos, Ejection rules) {
    inFlight--;
    boolean before = state instanceof EndpointState.Ejected;
    state = state.failed(nowNanos, rules);
    return !before && state instanceof EndpointState.Ejected;
  }

  /** Ends one that says nothing of the endpoint. */
  synchronized void undecided(long nowNanos) {
    inFlight--;
    state = state.undecided(nowNanos);
  }

  /** Whether it is left out now. */
  synchronized boolean isEjected() {
    return !(state instanceof EndpointState.Serving);
  }
}
