package io.kairos.bench.load;

/**
 * The plan of a generator.
 *
 * @param count messages, in all
 * @param perSecond the fixed rate of the schedule; {@link #FLOOD} sends as fast as the broker takes
 */
public record LoadPlan(
    String topic, LoadPayload payload, LoadDueTimes dueTimes, long count, double perSecond) {
  public static final double FLOOD = Double.POSITIVE_INFINITY;

  public LoadPlan {
    if (count < 1 || !(perSecond > 0)) {
      throw new IllegalArgumentException("a load needs at least one message and a rate above zero");
    }
  }

  /** When message {@code n} is to be sent, microseconds after the start. */
  long scheduledMicros(long n) {
    return (long) (n * 1e6 / perSecond);
  }

  /** How many messages are to be sent by now. */
  long dueToBeSent(long elapsedMicros) {
    if (elapsedMicros < 0) {
      return 0;
    }
    return perSecond == FLOOD
        ? count
        : Math.min(count, (long) (elapsedMicros * perSecond / 1e6) + 1);
  }
}
