package io.kairos.domain.schedule.text;

import static java.util.Objects.requireNonNull;

/**
 * Refuses an expression, and points at the fault: the field, the refused text, the allowed text,
 * and the position. All readers of time rules throw this exception.
 */
public final class RefusedExpressionException extends IllegalArgumentException {
  private static final int SHOWN = 40;

  private final String expression;
  private final String field;
  private final String value;
  private final String allowed;
  private final int offset;

  /**
   * An expression that is refused.
   *
   * @param expression the whole text
   * @param field the part of it in words, for example {@code day of month}
   * @param value what stands there
   * @param allowed what may stand there, as the end of a sentence: {@code 0 to 59}
   * @param offset where the value begins in the expression, from 0; its length when something is
   *     missing at the end
   */
  public RefusedExpressionException(
      String expression, String field, String value, String allowed, int offset) {
    super(field + ": \"" + shown(value) + "\" at " + offset + " is refused, allowed: " + allowed);
    this.expression = requireNonNull(expression, "expression");
    this.field = requireNonNull(field, "field");
    this.value = requireNonNull(value, "value");
    this.allowed = requireNonNull(allowed, "allowed");
    this.offset = offset;
  }

  private static String shown(String value) {
    return value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "…";
  }

  public String expression() {
    return expression;
  }

  public String field() {
    return field;
  }

  public String value() {
    return value;
  }

  public String allowed() {
    return allowed;
  }

  /** Characters of the expression before the refused value. */
  public int offset() {
    return offset;
  }
}
