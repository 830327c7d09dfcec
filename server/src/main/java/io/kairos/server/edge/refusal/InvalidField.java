package io.kairos.server.edge.refusal;

import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.util.Map;
import java.util.TreeMap;

/** A field of a request breaks a rule. Nothing has happened yet. */
public final class InvalidField extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String rule;
  private final TreeMap<String, String> details;

  /**
   * @param field as the proto calls it, such as {@code tasks[3].priority}
   * @param rule follows the field's name in the message
   */
  public InvalidField(String field, String rule) {
    this(field, rule, Map.of());
  }

  /**
   * The same.
   *
   * @param details more about it by name, for programs: a value, a position, what is allowed
   */
  public InvalidField(String field, String rule, Map<String, String> details) {
    super(field + ": " + rule, null, false, false);
    this.field = field;
    this.rule = rule;
    this.details = new TreeMap<>(details);
  }

  /** Of an expression that is not taken, with the place in it. */
  public static InvalidField of(String field, RefusedExpressionException refused) {
    return new InvalidField(
        field,
        String.valueOf(refused.getMessage()),
        Map.of(
            "expression", refused.expression(),
            "part", refused.field(),
            "value", refused.value(),
            "position", Integer.toString(refused.offset()),
            "allowed", refused.allowed()));
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

  public Map<String, String> details() {
    return Map.copyOf(details);
  }

  /** The same, seen from the message that contains the field's message. */
  public InvalidField in(String outer) {
    return new InvalidField(outer + "." + field, rule, details);
  }
}
