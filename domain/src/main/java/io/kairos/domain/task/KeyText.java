package io.kairos.domain.task;

/**
 * The texts that applications may choose as keys: anything that can be stored, shown and sorted.
 */
final class KeyText {
  static final int LONGEST = 256;
  static final String RULE = "1 to 256 characters, and no control characters";

  private KeyText() {}

  static boolean isValid(String text) {
    return !text.isEmpty()
        && text.codePointCount(0, text.length()) <= LONGEST
        && text.codePoints().noneMatch(KeyText::isRefused);
  }

  /** Half a surrogate pair has no form in UTF-8. */
  private static boolean isRefused(int point) {
    return Character.isISOControl(point)
        || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }
}
