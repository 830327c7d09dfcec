package io.kairos.client.error;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A field breaks a rule, or asks for what the node does not have, such as a topic of a node without
 * a broker. Nothing was done; the same request will never succeed at this node.
 */
public final class InvalidRequestException extends KairosException {
  private static final long serialVersionUID = 1;

  private final String field;
  private final String rule;
  private final TreeMap<String, String> details;

  public InvalidRequestException(String field, String rule) {
    this(field, rule, null);
  }

  public InvalidRequestException(String field, String rule, @Nullable Throwable cause) {
    this(field, rule, Map.of(), cause);
  }

  public InvalidRequestException(
      String field, String rule, Map<String, String> details, @Nullable Throwable cause) {
    super(field.isEmpty() ? rule : field + ": " + rule, cause);
    this.field = field;
    this.rule = rule;
    this.details = new TreeMap<>(details);
  }

  /**
   * Name of the field in the API, such as {@code tasks[3].run_at}; empty when the node named none.
   */
  public String field() {
    return field;
  }

  public String rule() {
    return rule;
  }

  /**
   * Details of the violation by name, where the node gives them. For a refused {@code expression}:
   * the {@code value} in it, its {@code position} from 0, and the values {@code allowed} there.
   */
  public Map<String, String> details() {
    return Map.copyOf(details);
  }
}
