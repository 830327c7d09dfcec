package io.kairos.domain.task;

import io.kairos.domain.check.ArgumentCheck;

/** The texts that applications may choose as keys: all that can be stored, shown and sorted. */
final class KeyText {
  static final int LONGEST = 256;
  static final String RULE = "1 to 256 characters, and no control characters";

  private KeyText() {}

  static boolean isValid(String text) {
    return !text.isEmpty()
        && text.codePointCount(0, text.length()) <= LONGEST
        && ArgumentCheck.isPlain(text);
  }
}
