package io.kairos.server.architecture.specimen.unmarked;

/** Must break: every package is null-marked. */
public final class InAPackageWithoutNullMarked {}
