package io.kairos.server.config;

/**
 * One key with the value that the process runs with.
 *
 * @param text the value; secrets are masked
 */
public record EffectiveSetting(String key, String text, Origin origin) {}
