package io.kairos.domain.pool;

import java.time.Duration;

/**
 * Whether an endpoint gets requests: a total function of what it has answered. Times are elapsed
 * nanoseconds, which mean something only as differences.
 */
public sealed interface EndpointState {
  /** The share of an endpoint that has just returned. */
  double LEAST_SHARE = 0.1;

  /** A pause grows to at most so many times the first. */
  int LONGEST_PAUSE = 8;

  /**
   * It gets requests.
   *
   * @param failures in a row
   * @param returned whether it had been left out
   * @param sinceNanos when it returned
   */
  record Serving(int failures, boolean returned, long sinceNanos) implements EndpointState {
    /** Nothing is known against it. */
    public static final Serving NEW = new Serving(0, false, 0);
  }

  /** It gets none before this moment, and then one. */
  record Ejected(long untilNanos, Duration pause) implements EndpointState {}

  /** One request is under way that decides. */
  record Probing(Duration pause) implements EndpointState {}

  /** After a request that it answered well enough. */
  default EndpointState succeeded(long nowNanos) {
    return switch (this) {
      case Serving serving ->
          serving.failures == 0 ? serving : new Serving(0, serving.returned, serving.sinceNanos);
      // An answer to what was sent before; the probe decides.
      case Ejected ejected -> ejected;
      case Probing _ -> new Serving(0, true, nowNanos);
    };
  }

  /** After a request that it did not answer, or answered as one does that is unwell. */
  default EndpointState failed(long nowNanos, Ejection rules) {
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

  /** When it is given a request. */
  default EndpointState chosen(long nowNanos) {
    return switch (this) {
      case Ejected(long until, Duration pause) when until - nowNanos <= 0 -> new Probing(pause);
      case Ejected ejected -> ejected;
      case Serving serving -> serving;
      case Probing probing -> probing;
    };
  }

  /** A probe that said nothing, because it was never sent or was given up. */
  default EndpointState undecided(long nowNanos) {
    return this instanceof Probing(Duration pause) ? new Ejected(nowNanos, pause) : this;
  }

  /** Its share of the requests: 1 for the whole, 0 for none. */
  default double share(long nowNanos, Ejection rules) {
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
