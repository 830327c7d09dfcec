package io.kairos.server.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.server.program.InstalledProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of Debian's package {@code prometheus}, where {@link InstalledProgram} finds it. */
public final class PrometheusProgram {
  private static final long PATIENCE_SECONDS = 60;

  private PrometheusProgram() {}

  /** Skips the test, or fails it, where the programs are missing. */
  public static void requireInstalled() {
    named("promtool");
    named("prometheus");
  }

  /** Returns the path of the program. */
  static String named(String name) {
    return InstalledProgram.named(name);
  }

  /**
   * The end of a run of promtool.
   *
   * @param printed standard output and standard error
   */
  record Run(int code, String printed) {}

  /** Runs promtool in a folder with nothing on its standard input. */
  static Run promtool(Path folder, String... words) throws IOException, InterruptedException {
    return run(folder, "", words);
  }

  /** Returns what {@code promtool check metrics} has to say; empty when all is well. */
  public static String complaints(String metrics) throws IOException, InterruptedException {
    Run run = run(Path.of("."), metrics, "check", "metrics");
    return run.code() == 0 ? run.printed() : run.code() + ": " + run.printed();
  }

  private static Run run(Path folder, String input, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(named("promtool")));
    command.addAll(List.of(words));
    Path output = Files.createTempFile("promtool", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try (OutputStream in = process.getOutputStream()) {
        in.write(input.getBytes(UTF_8));
      }
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      return new Run(process.exitValue(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }
}
