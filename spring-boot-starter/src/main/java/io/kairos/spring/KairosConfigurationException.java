package io.kairos.spring;

import org.jspecify.annotations.Nullable;

/**
 * What the application says about its tasks cannot be so. The start of the application ends with
 * it, and Spring Boot shows what was wrong and what to do.
 */
public final class KairosConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String wrong;
  private final String action;

  KairosConfigurationException(String wrong, String action) {
    this(wrong, action, null);
  }

  KairosConfigurationException(String wrong, String action, @Nullable Throwable cause) {
    super(wrong + " " + action, cause);
    this.wrong = wrong;
    this.action = action;
  }

  /** Returns what was wrong, with bean and method. */
  public String wrong() {
    return wrong;
  }

  /** Returns what to do. */
  public String action() {
    return action;
  }
}
