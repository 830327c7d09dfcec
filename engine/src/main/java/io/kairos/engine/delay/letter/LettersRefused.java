package io.kairos.engine.delay.letter;

/** Dead letters cannot be read, or one cannot be published again. */
public final class LettersRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** Why, for programs. */
  public enum Kind {
    /** There is no such route or letter. */
    UNKNOWN,
    /** The record would become a dead letter again. */
    INVALID,
    /** It was published again before. */
    PUBLISHED_BEFORE,
    /** Others read at this moment; nothing has been done. */
    BUSY,
    /** The broker does not answer; nothing has been done. */
    AWAY,
    /** The broker, or the state of the letter, does not allow it; nothing has been done. */
    NOT_ALLOWED,
    /** The broker has not answered in time; the record may have been published. */
    IN_DOUBT
  }

  /**
   * @param why names what is wrong; never payload
   */
  public LettersRefused(Kind kind, String why) {
    super(why);
    this.kind = kind;
  }

  /**
   * The same, with a cause.
   *
   * @param why names what is wrong; never payload
   */
  public LettersRefused(Kind kind, String why, Throwable cause) {
    super(why, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
