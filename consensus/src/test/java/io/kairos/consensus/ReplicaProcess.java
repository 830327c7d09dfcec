package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A {@link ReplicaMain} or {@link CronReplicaMain} that runs, as a test sees it. */
final class ReplicaProcess {
  private static final Duration FAR_TOO_LONG = Duration.ofMinutes(3);

  private final Process process;
  private final Writer in;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** What it said that nobody waited for, such as its log: it tells why a test fails. */
  private final List<String> passedOver = new ArrayList<>();

  ReplicaProcess(Class<?> main, int number, Path directory, List<ReplicaAddress> addresses) {
    String ports =
        addresses.stream().map(each -> "" + each.port()).collect(Collectors.joining(","));
    try {
      process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElse("java"),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx192m",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-cp",
                  requireNonNull(System.getProperty("java.class.path")),
                  main.getName(),
                  "" + number,
                  directory.resolve("replica-" + number).toString(),
                  ports)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    in = process.outputWriter(StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().start(this::read);
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      out.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("ended: " + e);
    }
    lines.add("ended");
  }

  void tell(String line) {
    try {
      in.write(line + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next line that begins so; what comes before it is passed over. */
  String await(String beginning) {
    try {
      while (true) {
        String line = lines.poll(FAR_TOO_LONG.toSeconds(), TimeUnit.SECONDS);
        if (line != null && line.startsWith(beginning)) {
          return line;
        }
        if (line == null || line.startsWith("broken") || line.startsWith("ended")) {
          throw new AssertionError(
              "instead of %s: %s, after %s".formatted(beginning, line, passedOver));
        }
        passedOver.add(line);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  String ask(String question) {
    return askFor(question, question);
  }

  String askFor(String beginning, String question) {
    tell(question);
    return await(beginning);
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
  }
}
