package io.kairos.domain.cron.outbox;

import static java.util.Objects.requireNonNull;

/**
 * Something that an action wants of the outside.
 *
 * @param body between the action and who does it; up to {@value #MOST_BYTES} bytes, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
public record Effect(EffectId id, Asking asking, byte[] body) {
  public static final int MOST_BYTES = 4_000;

  /** Who asks the outside for it. The numbers are stored and never change. */
  public enum Asking {
    /** Every replica: for an outside that knows ids, and does once what is asked for often. */
    EACH(1),
    /**
     * One replica after another until it is done, and none before one more than may fail have said
     * that they want it: for an outside that cannot know whether the asker is correct.
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
    if (body.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "an effect has up to " + MOST_BYTES + " bytes, not " + body.length);
    }
  }
}
