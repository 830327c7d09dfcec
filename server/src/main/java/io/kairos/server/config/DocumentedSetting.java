package io.kairos.server.config;

import io.kairos.engine.setting.DeclaredSetting;
import io.kairos.engine.setting.ValueFormat;

/**
 * A setting as the documentation and editors show it.
 *
 * @param fallback the default as text; empty when there is none
 * @param bounds the bounds in words; empty when there are none
 */
public record DocumentedSetting(
    DeclaredSetting declared, ValueFormat<?> format, String fallback, String bounds) {
  /** The key, which may contain {@code <name>} or end with {@code *}. */
  public String key() {
    return declared.key();
  }
}
