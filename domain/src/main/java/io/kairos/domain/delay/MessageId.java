package io.kairos.domain.delay;

import static io.kairos.domain.check.ArgumentCheck.require;

/**
 * The application's name for a delayed message, unique per route while the message is waiting or
 * ready and forgotten once it has fired. 1 to 128 code points, without U+0000, which no Postgres
 * text can hold, and without unpaired surrogates, which UTF-8 cannot encode.
 */
public record MessageId(String value) {
  public static final int MAX_CODE_POINTS = 128;

  public MessageId {
    require(!value.isEmpty(), "the message id is empty");
    // One pass without objects, because every message is checked.
    int codePoints = 0;
    for (int i = 0; i < value.length(); codePoints++) {
      int codePoint = value.codePointAt(i);
      require(
          codePoints != MAX_CODE_POINTS,
          "the message id is longer than " + MAX_CODE_POINTS + " code points");
      require(codePoint != 0, "the message id contains U+0000");
      require(
          codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE,
          "the message id contains an unpaired surrogate");
      i += Character.charCount(codePoint);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
