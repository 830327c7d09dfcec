package io.kairos.server.config;

/**
 * One key that the node asked for, with what it got.
 *
 * @param kind what may stand there, in a word or two
 * @param fallback the default as text, "none" when there is none
 * @param text the effective value; secrets are masked
 * @param about one or two sentences for the operator
 */
public record Setting(
    String key, String kind, String fallback, String text, Origin origin, String about) {}
