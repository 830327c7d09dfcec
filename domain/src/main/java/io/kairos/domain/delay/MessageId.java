package io.kairos.domain.delay;

import java.nio.charset.StandardCharsets;

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
    // A code point is at most two chars: the first test bounds the work on hostile input.
    if (value.length() > 2 * MAX_CODE_POINTS
        || value.codePointCount(0, value.length()) > MAX_CODE_POINTS) {
      throw new IllegalArgumentException(
          "the message id is longer than " + MAX_CODE_POINTS + " code points");
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the message id contains U+0000");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw new IllegalArgumentException("the message id contains an unpaired surrogate");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
