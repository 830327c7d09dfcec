package io.kairos.cli.option;

/**
 * A value of a call and its source, such as {@code --address}, {@code KAIROS_ADDRESS} or {@code
 * context prod, in use}.
 */
public record Sourced<T>(T value, String source) {}
