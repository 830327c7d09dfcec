package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

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

  /**
   * Returns a builder that starts the command line with these words on a terminal of its own, which
   * the program script gives it. The process writes to the terminal what is written to its input,
   * and prints what the terminal shows. Signals of the terminal are not ignored, as they are below
   * a shell's background process.
   */
  static ProcessBuilder onTerminal(String... words) {
    String command =
        of(words).command().stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" ", "exec env --default-signal=INT ", ""));
    return new ProcessBuilder(InstalledProgram.named("script"), "-qec", command, "/dev/null")
        .redirectErrorStream(true);
  }
}
