package io.kairos.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.ProcessorTime;
import io.kairos.embedded.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process of a main class of this bench, which reads commands and writes answers as lines. Lines
 * that are not answers begin with {@value #UNASKED}. Used by one thread at a time; another one
 * reads.
 */
public class TalkingProcess extends BenchProcess {
  /** Start of a line that is not an answer. */
  public static final String UNASKED = "!";

  /** The line that stands for the end of a process. */
  public static final String ENDED = "ended";

  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

  private final Writer in;
  private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /**
   * A line that is not an answer.
   *
   * @param atNanos when it was read here, as {@link System#nanoTime} tells
   */
  public record Line(long atNanos, String text) {}

  /**
   * Starts one.
   *
   * @param options of its JVM
   * @param log takes what it writes to standard error
   */
  protected TalkingProcess(
      String name, List<String> options, Class<?> main, List<String> arguments, Path log) {
    this(name, talking(options, main, arguments, log));
  }

  private TalkingProcess(String name, ChildProcess child) {
    super(name, child);
    this.in = child.process().outputWriter(UTF_8);
  }

  /** Begins to read; what is said unasked is handed over on the thread that reads. */
  protected void hearFrom(Consumer<Line> unasked) {
    Thread.ofPlatform().name("bench-hears-" + name()).daemon().start(() -> read(unasked));
  }

  private void read(Consumer<Line> unasked) {
    try (BufferedReader out = process().inputReader(UTF_8)) {
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
  protected void tell(String line) {
    try {
      in.write(line + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name() + " does not listen", e);
    }
  }

  /**
   * The next answer.
   *
   * @throws IllegalStateException when there is none in time, or the process has ended
   */
  protected String hear() {
    try {
      String answer = answers.poll(ANSWERS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      if (answer == null) {
        throw new IllegalStateException(
            name() + " has not answered for " + ANSWERS_WITHIN.toSeconds() + " s");
      }
      if (answer.equals(UNASKED + ENDED)) {
        throw new IllegalStateException(name() + " has ended");
      }
      return answer;
    } catch (InterruptedException e) {
      throw BenchWait.interrupted(name(), e);
    }
  }

  protected String ask(String question) {
    tell(question);
    return hear();
  }

  /** Processor time of its compiler threads, see {@link ProcessorTime#ofCompilers}. */
  public Duration compilerTime() {
    return ProcessorTime.ofCompilers(pid());
  }
}
