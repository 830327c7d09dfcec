package io.kairos.bench.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.ArrivalLedger;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Executions of a worker process, in the order of their ends. Runs are judged by the handlers'
 * record, not by Kairos. Thread-safe; written to the file when it is closed.
 */
public final class ExecutionLog implements Closeable {
  private static final int BUFFER = 1 << 20;

  @GuardedBy("this")
  private final DataOutputStream out;

  private ExecutionLog(DataOutputStream out) {
    this.out = out;
  }

  static ExecutionLog write(Path file) {
    try {
      return new ExecutionLog(
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /**
   * A handler's work.
   *
   * @param run of the load that the task belongs to
   * @param beganMicros by the wall clock, as due times are
   * @param beganNanos by the clock that all processes of this machine share and nobody sets
   *     (CLOCK_MONOTONIC)
   * @param endedNanos by the same
   */
  public record Execution(
      long run, long sequence, long dueMicros, long beganMicros, long beganNanos, long endedNanos) {
    /** Enters it into a ledger. */
    public void into(ArrivalLedger ledger) {
      ledger.arrived(sequence, dueMicros, beganMicros, true);
    }
  }

  /** Begins an execution, as the first action of a handler. */
  static Execution begin(byte[] payload) {
    return begin(payload, LoadPayload.dueMicros(payload));
  }

  /** Begins an execution whose payload does not say when the task is due. */
  static Execution begin(byte[] payload, long dueMicros) {
    return new Execution(
        LoadPayload.run(payload),
        LoadPayload.sequence(payload),
        dueMicros,
        LoadClock.micros(),
        System.nanoTime(),
        0);
  }

  /** Logs an execution, as the last action of a handler. */
  synchronized void ended(Execution begun) throws IOException {
    out.writeLong(begun.run());
    out.writeLong(begun.sequence());
    out.writeLong(begun.dueMicros());
    out.writeLong(begun.beganMicros());
    out.writeLong(begun.beganNanos());
    out.writeLong(System.nanoTime());
  }

  @Override
  public synchronized void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the log of executions is not complete", e);
    }
  }

  /** All of a log. */
  public static void read(Path file, Consumer<Execution> reader) {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
      while (true) {
        reader.accept(
            new Execution(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong()));
      }
    } catch (EOFException end) {
      // the last record of a killed worker may be torn; what is before it counts
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
