package io.kairos.edge.call;

import static io.kairos.engine.audit.AuditedCall.LONGEST;

import io.kairos.api.text.TerminalText;

/** Makes texts of a request fit for the audit log. */
public final class AuditedText {
  private AuditedText() {}

  /** The text without control characters, and not longer than the audit log takes. */
  public static String plain(String text) {
    String escaped = TerminalText.line(text.substring(0, Math.min(text.length(), LONGEST)));
    StringBuilder plain = new StringBuilder();
    for (int point : escaped.codePoints().toArray()) {
      if (plain.length() > LONGEST - 2) {
        break;
      }
      boolean isHalf = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      plain.appendCodePoint(isHalf ? '?' : point);
    }
    return plain.toString();
  }
}
