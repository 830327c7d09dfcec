package io.kairos.domain.delay;

/**
 * The application's name for a delayed message, unique per route while the message is waiting or
 * ready and forgotten once it has fired (CH-12, CH-13). 1 to 128 code points (CH-18), free form but
 * for U+0000, which no Postgres text can hold, and for unpaired surrogates, which no UTF-8 can.
 */
public record MessageId(String value) {
  public static final int MAX_CODE_POINTS = 128;

  public MessageId {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("the message id is empty");
    }
    // One pass that makes no objects: it is done for every message.
    int codePoints = 0;
    for (int i = 0; i < value.length(); codePoints++) {
      int codePoint = value.codePointAt(i);
      if (codePoints == MAX_CODE_POINTS) {
        throw new IllegalArgumentException(
            "the message id is longer than " + MAX_CODE_POINTS + " code points");
      }
      if (codePoint == 0) {
        throw new IllegalArgumentException("the message id contains U+0000");
      }
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        throw new IllegalArgumentException("the message id contains an unpaired surrogate");
      }
      i += Character.charCount(codePoint);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
