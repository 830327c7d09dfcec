package io.kairos.cli.imports;

/** How what is imported is called here. */
public record Naming(NamePattern schedule, NamePattern handler) {}
