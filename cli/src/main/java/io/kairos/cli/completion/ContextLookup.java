package io.kairos.cli.completion;

/** The names of contexts in scripts, which read them from the file without a start of Java. */
final class ContextLookup {
  /** Prints the names, as {@code kairos context} writes them, one a line. In double quotes. */
  static final String SED =
      "/^contexts:/,\\$s/^  [\\\"']*\\([A-Za-z0-9][A-Za-z0-9._-]*\\)[\\\"']*:.*/\\1/p";

  private ContextLookup() {}
}
