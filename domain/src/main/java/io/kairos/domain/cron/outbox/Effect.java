package io.kairos.domain.cron.outbox;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

/**
 * An effect outside of the replicas that an action has decided.
 *
 * @param body opaque, for the executor of the effect; up to {@value #MOST_BYTES} bytes, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
public record Effect(EffectId id, Asking asking, byte[] body) {
  public static final int MOST_BYTES = 4_000;

  /** The replicas that request the effect. The numbers are stored and never change. */
  public enum Asking {
    /** Every replica: for a receiver that is idempotent by the effect's id. */
    EACH(1),
    /**
     * One replica after another until the effect is done, and only after f+1 replicas have said
     * that they want it: for a receiver that cannot know if a replica is correct.
     */
    IN_TURN(2);

    private final int number;

    Asking(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    /** Throws {@link IllegalArgumentException} for a number that none has. */
    static Asking numbered(int number) {
      for (Asking asking : values()) {
        if (asking.number == number) {
          return asking;
        }
      }
      throw new IllegalArgumentException("no way of asking has the number " + number);
    }
  }

  /** Throws {@link IllegalArgumentException} for a body that is too large. */
  public Effect {
    requireNonNull(id, "id");
    requireNonNull(asking, "asking");
    require(
        body.length <= MOST_BYTES,
        "an effect has up to " + MOST_BYTES + " bytes, not ",
        body.length);
  }
}
