package io.kairos.server.config;

/** A value that somebody gave, not read yet. */
public record Given(String key, String text, Origin origin) {}
