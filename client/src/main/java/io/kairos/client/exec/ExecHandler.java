package io.kairos.client.exec;

import io.kairos.client.worker.CancelReason;
import io.kairos.client.worker.FatalFailure;
import io.kairos.client.worker.Handler;
import io.kairos.client.worker.RetryLater;
import io.kairos.client.worker.TaskContext;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program for each task. The payload is its standard input, its standard output goes where
 * the worker's goes, and the exit code is the outcome: 0 success, 75 ({@code EX_TEMPFAIL}) try
 * again later, 64 and 65 ({@code EX_USAGE}, {@code EX_DATAERR}) or the codes of the user's choice
 * fatal, all others a failure that is tried again. What it wrote last to standard error is the
 * error text.
 *
 * <p>It finds the task in its environment: {@code KAIROS_TASK_ID}, {@code KAIROS_HANDLER}, {@code
 * KAIROS_FENCE}, {@code KAIROS_ATTEMPT}, {@code KAIROS_PRIORITY}, {@code KAIROS_DUE_AT}, {@code
 * KAIROS_WORKER} and, if the task has them, {@code KAIROS_KEY}, {@code KAIROS_COLLECTION} and
 * {@code TRACEPARENT}.
 *
 * <p>When the attempt is cancelled, the program and all that it has started are ended: killed at
 * once when the lease is lost, otherwise asked by {@code SIGTERM} and killed after {@link
 * #TERM_TIME}. What leaves the tree of processes (a daemon) is not found. While the worker itself
 * is stopped nobody kills anything, and when it is killed its programs go on without it: those
 * whose effects must not come late have to pass on the fence. Thread-safe; costs two short-lived
 * threads and one process for each task.
 */
public final class ExecHandler implements Handler<byte[]>, AutoCloseable {
  public static final Duration TERM_TIME = Duration.ofSeconds(2);
  private static final Set<Integer> FATAL_CODES = Set.of(64, 65);

  private final List<String> command;
  private final Set<Integer> fatalCodes;
  private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private ExecHandler(List<String> command, Set<Integer> fatalCodes) {
    this.command = List.copyOf(command);
    this.fatalCodes = Set.copyOf(fatalCodes);
  }

  /** The program and its arguments; no shell is involved. */
  public static ExecHandler of(List<String> command) {
    if (command.isEmpty()) {
      throw new IllegalArgumentException("a command is needed");
    }
    return new ExecHandler(command, FATAL_CODES);
  }

  /** These exit codes mean that no other attempt will help, instead of 64 and 65. */
  public ExecHandler withFatalCodes(Set<Integer> codes) {
    return new ExecHandler(command, codes);
  }

  @Override
  public void handle(byte[] payload, TaskContext context) throws IOException, InterruptedException {
    context.throwIfCancelled();
    Process process = start(context);
    ProcessTree tree = new ProcessTree(process);
    running.add(tree);
    boolean endedByItself = false;
    try {
      if (closed) {
        throw new RetryLater("the worker has ended", Duration.ZERO);
      }
      context.onCancel(() -> end(tree, context));
      Tail errors = Tail.of(process.getErrorStream());
      feed(process.getOutputStream(), payload);
      int code = process.waitFor();
      context.throwIfCancelled();
      endedByItself = true;
      judge(code, errors);
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
   * Kills what still runs, and whatever begins after this: for after the worker's close, and before
   * a halt of the JVM, as programs would outlive both.
   */
  @Override
  public void close() {
    closed = true;
    running.forEach(ProcessTree::kill);
  }

  private void judge(int code, Tail errors) throws InterruptedException {
    if (code == 0) {
      return;
    }
    String text = "exit code " + code + errors.text().map(last -> ": " + last).orElse("");
    if (fatalCodes.contains(code)) {
      throw new FatalFailure(text);
    }
    throw new RetryLater(text); // 75 and all others: by the task's retry policy
  }

  private static void end(ProcessTree tree, TaskContext context) {
    if (leaseIsLost(context)) {
      tree.kill();
    } else {
      tree.terminate();
    }
  }

  /** A second interrupt, for a lost lease, ends the patience. */
  private static void waitPolitely(Process process, TaskContext context) {
    if (leaseIsLost(context)) {
      return;
    }
    try {
      process.waitFor(TERM_TIME.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // the caller kills it, and is on its way out with an interruption anyway
    }
  }

  private static boolean leaseIsLost(TaskContext context) {
    return context.cancelReason().filter(why -> why == CancelReason.LEASE_LOST).isPresent();
  }

  private Process start(TaskContext context) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(Redirect.INHERIT);
    Map<String, String> environment = builder.environment();
    environment.put("KAIROS_TASK_ID", context.taskId().toString());
    environment.put("KAIROS_HANDLER", context.handler());
    environment.put("KAIROS_FENCE", Long.toString(context.fence()));
    environment.put("KAIROS_ATTEMPT", Integer.toString(context.attempt()));
    environment.put("KAIROS_PRIORITY", Integer.toString(context.priority()));
    environment.put("KAIROS_DUE_AT", context.dueAt().toString());
    environment.put("KAIROS_WORKER", context.workerName());
    put(environment, "KAIROS_KEY", context.key());
    put(environment, "KAIROS_COLLECTION", context.collection());
    put(environment, "TRACEPARENT", context.traceparent());
    return builder.start();
  }

  /** One that the worker itself was started with is not the task's. */
  private static void put(Map<String, String> environment, String name, Optional<String> value) {
    environment.remove(name);
    value.ifPresent(given -> environment.put(name, given));
  }

  /** On a thread of its own, as a program that does not read would block it. */
  private static void feed(OutputStream stdin, byte[] payload) {
    Thread feeder =
        new Thread(
            () -> {
              try (stdin) {
                stdin.write(payload);
              } catch (IOException e) {
                // it does not want to read all; its exit code says what that means
              }
            },
            "kairos-exec-stdin");
    feeder.setDaemon(true);
    feeder.start();
  }
}
