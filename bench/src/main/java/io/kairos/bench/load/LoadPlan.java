package io.kairos.bench.load;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The plan of a generator.
 *
 * @param count messages after which the load ends by itself
 * @param perSecond the fixed rate of the schedule; {@link #FLOOD} sends as fast as the broker takes
 */
public record LoadPlan(long count, double perSecond, LoadDueTimes dueTimes) {
  public static final double FLOOD = Double.POSITIVE_INFINITY;

  public LoadPlan {
    if (count < 1 || !(perSecond > 0)) {
      throw new IllegalArgumentException("a load needs at least one message and a rate above zero");
    }
  }

  /** A load with delays between two bounds. */
  public static LoadPlan delayed(long count, double perSecond, Duration least, Duration most) {
    return new LoadPlan(
        count, perSecond, LoadDueTimes.after(least, most, new SplittableRandom().nextLong()));
  }

  /** A load sent as fast as possible, all due within some time from a moment on. */
  public static LoadPlan flood(long count, long dueMicros, Duration within) {
    return new LoadPlan(
        count, FLOOD, LoadDueTimes.within(dueMicros, within, new SplittableRandom().nextLong()));
  }

  /** When message {@code n} is to be sent, microseconds after the start. */
  long scheduledMicros(long n) {
    return (long) (n * 1e6 / perSecond);
  }

  /** Number of messages that are due to be sent by now. */
  long dueToBeSent(long elapsedMicros) {
    if (elapsedMicros < 0) {
      return 0;
    }
    return perSecond == FLOOD
        ? count
        : Math.min(count, (long) (elapsedMicros * perSecond / 1e6) + 1);
  }
}
