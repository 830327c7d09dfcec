package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;

/** The command line as a process of its own, with the classes of this one. */
final class CliProcess {
  private CliProcess() {}

  /** Returns a builder that starts the command line with these words. */
  static ProcessBuilder of(String... words) {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
            "-cp",
            requireNonNull(System.getProperty("java.class.path")),
            CliMain.class.getName());
    builder.command().addAll(List.of(words));
    return builder;
  }
}
