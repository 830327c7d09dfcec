package io.kairos.edge.refusal;

import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** A field of a request breaks a rule. Thrown before anything is done. */
public final class InvalidField extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String rule;
  private final TreeMap<String, String> details;

  /**
   * @param field path of the field in the proto, such as {@code tasks[3].priority}
   * @param rule follows the field's path in the message
   */
  public InvalidField(String field, String rule) {
    this(field, rule, Map.of());
  }

  /**
   * A refusal with details.
   *
   * @param details for programs: the value, the position, the allowed values
   */
  public InvalidField(String field, String rule, Map<String, String> details) {
    super(field + ": " + rule, null, false, false);
    this.field = field;
    this.rule = rule;
    this.details = new TreeMap<>(details);
  }

  /** The refusal of an expression, with the position of the fault in its details. */
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

  /** Makes a value; an {@link IllegalArgumentException} becomes a refusal with this rule. */
  public static <T> T reading(String field, String rule, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException _) {
      throw new InvalidField(field, rule);
    }
  }

  /** Makes a value; an {@link IllegalArgumentException} becomes a refusal with its message. */
  public static <T> T reading(String field, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new InvalidField(field, String.valueOf(e.getMessage()));
    }
  }

  /** Makes a value; the path of a refused field gets {@code outer} before it. */
  public static <T> T within(String outer, Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidField e) {
      throw e.in(outer);
    }
  }

  /** Reads a repeated field; the refusal of an element begins with the element's position. */
  public static <G, T> List<T> readingAll(String field, List<G> given, Function<G, T> element) {
    List<T> all = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      try {
        all.add(element.apply(given.get(i)));
      } catch (InvalidField e) {
        throw e.in(field + "[" + i + "]");
      }
    }
    return all;
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

  /** This refusal with {@code outer} before the field's path. */
  public InvalidField in(String outer) {
    return new InvalidField(outer + "." + field, rule, details);
  }
}
