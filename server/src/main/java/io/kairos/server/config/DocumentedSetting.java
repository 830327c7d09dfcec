package io.kairos.server.config;

import io.kairos.engine.setting.DeclaredSetting;
import io.kairos.engine.setting.ValueFormat;

/**
 * One setting as the documentation and editors show it.
 *
 * @param fallback the default as text; empty when there is none
 * @param bounds in words; empty when there are none
 */
public record DocumentedSetting(
    DeclaredSetting declared, ValueFormat<?> format, String fallback, String bounds) {
  /** May have {@code <name>} or, at its end, {@code *} in it. */
  public String key() {
    return declared.key();
  }
}
