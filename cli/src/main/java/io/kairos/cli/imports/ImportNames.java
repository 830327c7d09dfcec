package io.kairos.cli.imports;

/** Patterns for the names of imported schedules and their handlers. */
public record ImportNames(NamePattern schedule, NamePattern handler) {}
