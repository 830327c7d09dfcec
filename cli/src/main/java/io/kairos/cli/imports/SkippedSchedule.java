package io.kairos.cli.imports;

/** A schedule that cannot be imported, with the reason. */
public record SkippedSchedule(String place, String original, String reason) {}
