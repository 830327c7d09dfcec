package io.kairos.simulator.kernel;

import java.util.SplittableRandom;

/**
 * The present delays and failure rates of calls. Faults change them; healing ends all failures and
 * long delays for good.
 */
public final class CallConditions {
  private static final long NANOS_PER_MICRO = 1_000;

  /** Beyond every publish timeout, so that records are written after their failure. */
  private static final long LONGEST_NANOS = 5_000_000_000L;

  public final SplittableRandom random;
  private final ClusterScenario scenario;
  private boolean isFair;
  int storeSlowness = 1;
  public int brokerSlowness = 1;
  boolean storeAway;

  /** Store calls that fail at random, per thousand. */
  int failuresPerMille = 3;

  /** Acknowledgements lost, per thousand. */
  public int lostAcksPerMille = 4;

  CallConditions(SplittableRandom random, ClusterScenario scenario) {
    this.random = random;
    this.scenario = scenario;
  }

  /** The end of a store call. */
  enum Fate {
    ANSWERED,
    NOT_DONE,
    DONE_BUT_FAILED,
    DONE_AFTER_FAILING
  }

  void heal() {
    isFair = true;
    storeSlowness = 1;
    brokerSlowness = 1;
    storeAway = false;
    failuresPerMille = 0;
    lostAcksPerMille = 0;
  }

  Fate fate() {
    if (failuresPerMille == 0 || random.nextInt(1_000) >= failuresPerMille) {
      return Fate.ANSWERED;
    }
    return failed();
  }

  Fate failed() {
    return switch (random.nextInt(5)) {
      case 0, 1 -> Fate.NOT_DONE;
      case 2, 3 -> Fate.DONE_BUT_FAILED;
      default -> Fate.DONE_AFTER_FAILING;
    };
  }

  /** Virtual nanoseconds of one way of a store call. */
  long storeNanos() {
    long timeout = scenario.config().detection().unknownOutcomeFor().toNanos();
    return Math.min(travel(scenario.storeMicros(), storeSlowness), timeout / 2);
  }

  /** Virtual nanoseconds of one way of a record or its acknowledgement. */
  public long brokerNanos() {
    return Math.min(travel(scenario.publishMicros(), brokerSlowness), LONGEST_NANOS);
  }

  private long travel(int typicalMicros, int slowness) {
    long micros = random.nextInt(typicalMicros / 2, typicalMicros + 1);
    if (!isFair && random.nextInt(50) == 0) {
      micros *= random.nextInt(1, 30);
    }
    return micros * slowness * NANOS_PER_MICRO;
  }

  /** Longest time after its failure in which a statement may still take effect. */
  long lateNanos() {
    return random.nextLong(scenario.config().detection().unknownOutcomeFor().toNanos());
  }

  /** Time after which a call without an answer fails. */
  long deafNanos() {
    return random.nextLong(20_000_000, 400_000_000);
  }

  public boolean losesAck() {
    return lostAcksPerMille > 0 && random.nextInt(1_000) < lostAcksPerMille;
  }

  /** A pause of one thread where nobody expects one, such as between a check and a send. */
  public boolean stumbles() {
    return !isFair && random.nextInt(200) == 0;
  }

  public long stumbleNanos() {
    return random.nextInt(4) == 0
        ? random.nextLong(scenario.lapseNanos() * 2)
        : random.nextLong(5_000_000);
  }
}
