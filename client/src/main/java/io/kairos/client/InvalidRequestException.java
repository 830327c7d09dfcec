package io.kairos.client;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A field breaks a rule. Nothing was done; the same request will never succeed. */
public final class InvalidRequestException extends KairosException {
  private static final long serialVersionUID = 1;

  private final String field;
  private final String rule;
  private final TreeMap<String, String> details;

  public InvalidRequestException(String field, String rule) {
    this(field, rule, null);
  }

  InvalidRequestException(String field, String rule, @Nullable Throwable cause) {
    this(field, rule, Map.of(), cause);
  }

  InvalidRequestException(
      String field, String rule, Map<String, String> details, @Nullable Throwable cause) {
    super(field.isEmpty() ? rule : field + ": " + rule, cause);
    this.field = field;
    this.rule = rule;
    this.details = new TreeMap<>(details);
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

  /**
   * More about it, where the node says so: of an {@code expression} that is refused the {@code
   * value} in it, its {@code position} from 0, and what is {@code allowed} there.
   */
  public Map<String, String> details() {
    return Map.copyOf(details);
  }
}
