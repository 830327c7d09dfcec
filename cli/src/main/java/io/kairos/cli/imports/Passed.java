package io.kairos.cli.imports;

/** What was found and cannot be imported, and why. */
public record Passed(String place, String original, String reason) {}
