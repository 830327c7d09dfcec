package io.kairos.client.exec;

import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.time.DaemonThread;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program for each task. The program gets the payload as standard input, shares the worker's
 * standard output, and its exit code is the outcome: 0 means success; 64 and 65 ({@code EX_USAGE},
 * {@code EX_DATAERR}), or other codes that the user chooses, a fatal failure; 75 ({@code
 * EX_TEMPFAIL}) and all others a failure that is retried. Codes that the user chooses put the task
 * off. The end of its standard error is the error text. With {@link #returningOutput} its standard
 * output is the result of the task.
 *
 * <p>The program gets the task in environment variables: {@code KAIROS_TASK_ID}, {@code
 * KAIROS_HANDLER}, {@code KAIROS_FENCE}, {@code KAIROS_ATTEMPT}, {@code KAIROS_PRIORITY}, {@code
 * KAIROS_DUE_AT}, {@code KAIROS_WORKER} and, if the task has them, {@code KAIROS_KEY}, {@code
 * KAIROS_COLLECTION} and {@code TRACEPARENT}. If the task has waited for others, {@code
 * KAIROS_PREDECESSORS} names a directory, which is gone after the attempt: its file {@code list}
 * has a line for each predecessor with its id, handler, state, length of its result in bytes and
 * content type, separated by tabs, and results are in files named {@code ID.result}. {@code
 * KAIROS_PROGRESS} names a file into which the program may write {@code 40 note} to say how far it
 * has come; it is read once a second, and gone after the attempt.
 *
 * <p>When the attempt is cancelled, the program and all processes that it has started are killed:
 * at once when the lease is lost, otherwise {@link #TERM_TIME} after a {@code SIGTERM}. Processes
 * that leave the process tree (daemons) are not found. While the worker process is suspended, it
 * cannot kill programs, and when the worker process is killed, its programs go on. Programs whose
 * effects must not come late have to use the fence. Thread-safe; each task costs two short-lived
 * threads and one process.
 */
public final class ExecHandler implements Handler<byte[]>, AutoCloseable {
  public static final Duration TERM_TIME = Duration.ofSeconds(2);
  private static final Set<Integer> FATAL_CODES = Set.of(64, 65);

  /** As often as heartbeats take it along. */
  private static final long PROGRESS_EVERY_MILLIS = 1_000;

  private final List<String> command;
  private final Set<Integer> fatalCodes;
  private final Map<Integer, Duration> snoozeCodes;

  /** The media type of standard output as a result; null to share that of the worker. */
  private final @Nullable String resultType;

  private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private ExecHandler(
      List<String> command,
      Set<Integer> fatalCodes,
      Map<Integer, Duration> snoozeCodes,
      @Nullable String resultType) {
    this.resultType = resultType;
    this.command = List.copyOf(command);
    this.fatalCodes = Set.copyOf(fatalCodes);
    this.snoozeCodes = Map.copyOf(snoozeCodes);
  }

  /** Returns a handler that runs this command: the program and its arguments, without a shell. */
  public static ExecHandler of(List<String> command) {
    if (command.isEmpty()) {
      throw new IllegalArgumentException("a command is needed");
    }
    return new ExecHandler(command, FATAL_CODES, Map.of(), null);
  }

  /** Returns a handler for which these exit codes, instead of 64 and 65, mean a fatal failure. */
  public ExecHandler withFatalCodes(Set<Integer> codes) {
    return new ExecHandler(command, codes, snoozeCodes, resultType);
  }

  /**
   * Returns a handler for which these exit codes put the task off by their delays, without a
   * failure; see {@link Snooze}. They go before fatal codes.
   *
   * @throws IllegalArgumentException for the code 0, which is a success, and for one that no
   *     program can end with
   */
  public ExecHandler withSnoozeCodes(Map<Integer, Duration> codes) {
    codes
        .keySet()
        .forEach(code -> {
          if (code < 1 || code > 255) {
            throw new IllegalArgumentException(
                "an exit code that puts a task off is in [1, 255], not " + code);
          }
        });
    return new ExecHandler(command, fatalCodes, codes, resultType);
  }

  /**
   * Returns a handler for which standard output is the result of the task.
   *
   * @param contentType its media type; empty for none
   */
  public ExecHandler returningOutput(String contentType) {
    return new ExecHandler(command, fatalCodes, snoozeCodes, contentType);
  }

  @Override
  public void handle(byte[] payload, TaskContext context) throws IOException, InterruptedException {
    context.throwIfCancelled();
    try (PredecessorFiles predecessors = PredecessorFiles.of(context.predecessors());
        ProgressFile progress = ProgressFile.create()) {
      run(payload, context, predecessors.directory(), progress);
    }
  }

  private void run(
      byte[] payload, TaskContext context, @Nullable Path predecessors, ProgressFile progress)
      throws IOException, InterruptedException {
    Process process = start(context, predecessors, progress.path());
    ProcessTree tree = new ProcessTree(process);
    running.add(tree);
    boolean endedByItself = false;
    try {
      if (closed) {
        throw new RetryLater("the worker has ended", Duration.ZERO);
      }
      context.onCancel(() -> end(tree, context));
      OutputTail errors = OutputTail.of(process.getErrorStream());
      OutputValue output = resultType == null ? null : OutputValue.of(process.getInputStream());
      feed(process.getOutputStream(), payload);
      while (!process.waitFor(PROGRESS_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
        progress.tell(context);
      }
      int code = process.exitValue();
      context.throwIfCancelled();
      endedByItself = true;
      judge(code, errors);
      if (output != null && resultType != null) {
        context.result(output.result(resultType));
      }
    } catch (InterruptedException e) {
      waitPolitely(process, context);
      throw e;
    } finally {
      if (!endedByItself) {
        tree.kill();
      }
      running.remove(tree);
    }
  }

  /**
   * Kills running programs, and programs that begin later. Call it after closing the worker and
   * before halting the JVM, because programs would outlive both.
   */
  @Override
  public void close() {
    closed = true;
    running.forEach(ProcessTree::kill);
  }

  private void judge(int code, OutputTail errors) throws InterruptedException {
    if (code == 0) {
      return;
    }
    Duration delay = snoozeCodes.get(code);
    if (delay != null) {
      throw new Snooze(delay);
    }
    String text = "exit code " + code + errors.text().map(last -> ": " + last).orElse("");
    if (fatalCodes.contains(code)) {
      throw new FatalFailure(text);
    }
    throw new RetryLater(text); // 75 and all others: by the task's retry policy
  }

  private static void end(ProcessTree tree, TaskContext context) {
    if (context.cancelReason().equals(Optional.of(CancelReason.LEASE_LOST))) {
      tree.kill();
    } else {
      tree.terminate();
    }
  }

  /**
   * Waits for the program to end after a {@code SIGTERM}; an interrupt, because of a lost lease,
   * ends the wait.
   */
  private static void waitPolitely(Process process, TaskContext context) {
    if (context.cancelReason().equals(Optional.of(CancelReason.LEASE_LOST))) {
      return;
    }
    try {
      process.waitFor(TERM_TIME.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // the caller kills the program and throws its own InterruptedException
    }
  }

  private Process start(TaskContext context, @Nullable Path predecessors, Path progress)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(resultType == null ? Redirect.INHERIT : Redirect.PIPE);
    Map<String, String> environment = builder.environment();
    environment.put("KAIROS_TASK_ID", context.taskId().toString());
    environment.put("KAIROS_HANDLER", context.handler());
    environment.put("KAIROS_FENCE", Long.toString(context.fence()));
    environment.put("KAIROS_ATTEMPT", Integer.toString(context.attempt()));
    environment.put("KAIROS_PRIORITY", Integer.toString(context.priority()));
    environment.put("KAIROS_DUE_AT", context.dueAt().toString());
    environment.put("KAIROS_WORKER", context.workerName());
    environment.put("KAIROS_PROGRESS", progress.toString());
    put(environment, "KAIROS_KEY", context.key());
    put(environment, "KAIROS_COLLECTION", context.collection());
    put(environment, "TRACEPARENT", context.traceparent());
    put(environment, "KAIROS_PREDECESSORS", Optional.ofNullable(predecessors).map(Path::toString));
    return builder.start();
  }

  /** Sets a variable, or removes the value that the worker process itself was started with. */
  private static void put(Map<String, String> environment, String name, Optional<String> value) {
    environment.remove(name);
    value.ifPresent(given -> environment.put(name, given));
  }

  /**
   * Writes the payload on a separate thread, because a program that does not read would block the
   * writer.
   */
  private static void feed(OutputStream stdin, byte[] payload) {
    Runnable feeding =
        () -> {
          try (stdin) {
            stdin.write(payload);
          } catch (IOException e) {
            // the program closed its input early; its exit code is the outcome
          }
        };
    DaemonThread.of("kairos-exec-stdin", feeding).start();
  }
}
