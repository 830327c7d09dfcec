package io.kairos.client;

import org.jspecify.annotations.Nullable;

/** A field breaks a rule. Nothing was done; the same request will never succeed. */
public final class InvalidRequestException extends KairosException {
  private static final long serialVersionUID = 1;

  private final String field;
  private final String rule;

  public InvalidRequestException(String field, String rule) {
    this(field, rule, null);
  }

  InvalidRequestException(String field, String rule, @Nullable Throwable cause) {
    super(field.isEmpty() ? rule : field + ": " + rule, cause);
    this.field = field;
    this.rule = rule;
  }

  /**
   * As it is called on the wire, such as {@code tasks[3].run_at}; empty when the node named none.
   */
  public String field() {
    return field;
  }

  public String rule() {
    return rule;
  }
}
