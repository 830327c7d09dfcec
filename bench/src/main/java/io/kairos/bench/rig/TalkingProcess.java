package io.kairos.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.measure.ProcessorTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process of a main class of this bench that is told and tells by lines. What it says unasked
 * begins with {@value #UNASKED}. Used by one thread at a time; another one reads.
 */
public final class TalkingProcess implements AutoCloseable {
  /** What a line begins with that answers nothing. */
  public static final String UNASKED = "!";

  private static final Duration END_PATIENCE = Duration.ofSeconds(20);

  /** Said unasked, after the last line of a process. */
  public static final String ENDED = "ended";

  private final String name;
  private final Process process;
  private final Path log;
  private final Writer in;
  private final Consumer<Line> unasked;
  private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /**
   * What was said unasked.
   *
   * @param atNanos when it was read here, as {@link System#nanoTime} tells
   */
  public record Line(long atNanos, String text) {}

  private TalkingProcess(String name, Process process, Path log, Consumer<Line> unasked) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.unasked = unasked;
    this.in = process.outputWriter(UTF_8);
  }

  /**
   * Starts one.
   *
   * @param options of its JVM
   * @param log takes what it writes to standard error
   * @param unasked called on the thread that reads
   */
  public static TalkingProcess start(
      String name,
      List<String> options,
      Class<?> main,
      List<String> arguments,
      Path log,
      Consumer<Line> unasked) {
    Process process =
        Children.startTalking(
            WorkerProcess.command(options, main, arguments),
            Map.of("JAVA_TOOL_OPTIONS", "", "JDK_JAVA_OPTIONS", ""),
            log);
    TalkingProcess started = new TalkingProcess(name, process, log, unasked);
    Thread.ofPlatform().name("bench-hears-" + name).daemon().start(started::read);
    return started;
  }

  private void read() {
    try (BufferedReader out = process.inputReader(UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(UNASKED)) {
          unasked.accept(new Line(System.nanoTime(), line.substring(UNASKED.length())));
        } else {
          answers.add(line);
        }
      }
    } catch (IOException e) {
      // A process that is killed ends so.
    } finally {
      answers.add(UNASKED + ENDED);
      unasked.accept(new Line(System.nanoTime(), ENDED));
    }
  }

  /** Says something that has no answer, or one to be {@link #hear heard} later. */
  public void tell(String line) {
    try {
      in.write(line + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " does not listen, see " + log, e);
    }
  }

  /**
   * The next answer.
   *
   * @throws IllegalStateException when there is none in time, or the process has ended
   */
  public String hear(Duration atMost) {
    try {
      String answer = answers.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
      if (answer == null) {
        throw new IllegalStateException(
            name + " has not answered for " + atMost.toSeconds() + " s, see " + log);
      }
      if (answer.equals(UNASKED + ENDED)) {
        throw new IllegalStateException(name + " has ended, see " + log);
      }
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + name, e);
    }
  }

  public String ask(String question, Duration atMost) {
    tell(question);
    return hear(atMost);
  }

  public Duration processorTime() {
    return ProcessorTime.ofTree(process.pid());
  }

  /** Of its compiler threads, see {@link ProcessorTime#ofCompilers}. */
  public Duration compilerTime() {
    return ProcessorTime.ofCompilers(process.pid());
  }

  /** SIGKILL. Returns when the process is gone. */
  public void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(name + " was killed and lives on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the end of " + name, e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
