package io.kairos.server.edge.refusal;

/** A field of a request breaks a rule. Nothing has happened yet. */
public final class InvalidField extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String rule;

  /**
   * @param field as the proto calls it, such as {@code tasks[3].priority}
   * @param rule follows the field's name in the message
   */
  public InvalidField(String field, String rule) {
    super(field + ": " + rule, null, false, false);
    this.field = field;
    this.rule = rule;
  }

  /** Refuses unless the rule holds. */
  public static void require(boolean holds, String field, String rule) {
    if (!holds) {
      throw new InvalidField(field, rule);
    }
  }

  public String field() {
    return field;
  }

  public String rule() {
    return rule;
  }

  /** The same, seen from the message that contains the field's message. */
  public InvalidField in(String outer) {
    return new InvalidField(outer + "." + field, rule);
  }
}
