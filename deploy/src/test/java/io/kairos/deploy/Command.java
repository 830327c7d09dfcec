package io.kairos.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A program of this machine in a process of its own. What it prints is read by a thread of ours.
 */
final class Command implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final Map<Predicate<String>, CompletableFuture<String>> awaited =
      new ConcurrentHashMap<>();
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();

  private Command(Process process) {
    this.process = process;
    Thread.ofPlatform().daemon().name("output-of-" + process.pid()).start(this::read);
  }

  /** Starts a program, which must be installed. */
  static Command start(List<String> words) throws IOException {
    try {
      return new Command(new ProcessBuilder(words).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new IOException(
          words.getFirst()
              + " is missing: CONTRIBUTING.md names the Debian packages for these tests",
          e);
    }
  }

  /** Runs a program, which must succeed, and returns what it printed. */
  static String run(String... words) throws Exception {
    try (Command command = start(List.of(words))) {
      int code = command.awaitEnd();
      assertThat(code).as(String.join(" ", words) + "\n" + command.printed()).isZero();
      return command.printed();
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (awaited) {
          lines.add(line);
          String read = line;
          awaited.forEach((wanted, found) -> {
            if (wanted.test(read)) {
              found.complete(read);
            }
          });
        }
      }
    } catch (IOException e) {
      lines.add(e.toString());
    } finally {
      end.complete(true);
    }
  }

  /** Waits for a line and returns it; fails when the program ends before, or takes too long. */
  String awaitLine(Predicate<String> wanted) {
    CompletableFuture<String> found = new CompletableFuture<>();
    synchronized (awaited) {
      lines.stream().filter(wanted).findFirst().ifPresent(found::complete);
      awaited.put(wanted, found);
    }
    CompletableFuture.anyOf(found, end)
        .completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS)
        .join();
    assertThat(found).as("not said:\n" + printed()).isDone();
    return found.join();
  }

  /** Waits for the end and for all that was printed, and returns the exit code. */
  int awaitEnd() throws Exception {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(printed()).isTrue();
    end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return process.exitValue();
  }

  String printed() {
    return String.join("\n", lines);
  }

  /** Sends SIGTERM to the program that this one, a wrapper, has started. */
  void terminateChild() {
    process.children().findFirst().orElseThrow().destroy();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
