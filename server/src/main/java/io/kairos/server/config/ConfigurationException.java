package io.kairos.server.config;

import java.util.List;

/**
 * The configuration is invalid. Every problem is a sentence that names the key, the value, its
 * origin and the rule.
 */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  public ConfigurationException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  public ConfigurationException(String problem) {
    this(List.of(problem));
  }

  public List<String> problems() {
    return problems;
  }
}
