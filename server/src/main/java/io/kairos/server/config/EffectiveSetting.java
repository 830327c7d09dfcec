package io.kairos.server.config;

/**
 * A key with the value that the process uses.
 *
 * @param text the value; secrets are masked
 */
public record EffectiveSetting(String key, String text, SettingOrigin origin) {}
