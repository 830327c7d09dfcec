package io.kairos.domain.pool;

import java.time.Duration;

/**
 * The state of an endpoint, which decides if it gets requests: a total function of its answers.
 * Times are elapsed nanoseconds, which mean something only as differences.
 */
public sealed interface EndpointState {
  /** The share of an endpoint that has just returned. */
  double LEAST_SHARE = 0.1;

  /** The longest pause, in first pauses. */
  int LONGEST_PAUSE = 8;

  /**
   * The endpoint gets requests.
   *
   * @param failures failures in a row
   * @param returned true if it had been ejected
   * @param sinceNanos the time of its return
   */
  record Serving(int failures, boolean returned, long sinceNanos) implements EndpointState {
    /** An endpoint without failures. */
    public static final Serving NEW = new Serving(0, false, 0);
  }

  /** The endpoint gets no request before this time, and then one. */
  record Ejected(long untilNanos, Duration pause) implements EndpointState {}

  /** The endpoint is probed: the request under way decides. */
  record Probing(Duration pause) implements EndpointState {}

  /** Returns the state after a request that shows a healthy endpoint. */
  default EndpointState succeeded(long nowNanos) {
    return switch (this) {
      case Serving serving ->
          serving.failures == 0 ? serving : new Serving(0, serving.returned, serving.sinceNanos);
      // An answer to an earlier request; the probe decides.
      case Ejected ejected -> ejected;
      case Probing _ -> new Serving(0, true, nowNanos);
    };
  }

  /**
   * Returns the state after a request without an answer, or with an answer that shows an unhealthy
   * endpoint.
   */
  default EndpointState failed(long nowNanos, EndpointEjection rules) {
    return switch (this) {
      case Serving(int failures, boolean returned, long since) ->
          failures + 1 >= rules.failures()
              ? new Ejected(nowNanos + rules.pause().toNanos(), rules.pause())
              : new Serving(failures + 1, returned, since);
      case Ejected ejected -> ejected;
      case Probing(Duration pause) -> {
        Duration most = rules.pause().multipliedBy(LONGEST_PAUSE);
        Duration twice = pause.multipliedBy(2);
        Duration next = twice.compareTo(most) > 0 ? most : twice;
        yield new Ejected(nowNanos + next.toNanos(), next);
      }
    };
  }

  /** Returns the state when the endpoint is given a request. */
  default EndpointState chosen(long nowNanos) {
    return this instanceof Ejected(long until, Duration pause) && until - nowNanos <= 0
        ? new Probing(pause)
        : this;
  }

  /**
   * Returns the state after a probe without a result, because it was never sent or was given up.
   */
  default EndpointState undecided(long nowNanos) {
    return this instanceof Probing(Duration pause) ? new Ejected(nowNanos, pause) : this;
  }

  /** Returns the endpoint's share of the requests: 1 for the whole, 0 for none. */
  default double share(long nowNanos, EndpointEjection rules) {
    return switch (this) {
      case Serving(_, boolean returned, long since) -> {
        long ramp = rules.rampUp().toNanos();
        if (!returned || ramp == 0) {
          yield 1;
        }
        yield Math.min(1, LEAST_SHARE + (1 - LEAST_SHARE) * (nowNanos - since) / ramp);
      }
      case Ejected(long until, _) -> until - nowNanos <= 0 ? LEAST_SHARE : 0;
      case Probing _ -> 0;
    };
  }
}
