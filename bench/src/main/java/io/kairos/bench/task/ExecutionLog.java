package io.kairos.bench.task;

import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Ledger;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a worker process performed, in the order in which it began: the judge of a run is what the
 * handlers saw, not what Kairos says. Thread-safe; in the file when it is closed.
 */
final class ExecutionLog implements Closeable {
  private static final int BUFFER = 1 << 20;

  private final DataOutputStream out;

  ExecutionLog(Path file) throws IOException {
    out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
  }

  /** A handler begins now. */
  synchronized void began(byte[] payload) throws IOException {
    out.writeLong(Payload.sequence(payload));
    out.writeLong(Payload.dueMicros(payload));
    out.writeLong(WallClock.micros());
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }

  /** Enters what a log says into a ledger. */
  static void read(Path file, Ledger ledger) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
      while (true) {
        long sequence = in.readLong();
        long due = in.readLong();
        ledger.arrived(sequence, due, in.readLong(), true);
      }
    } catch (EOFException end) {
      // the last record of a killed worker may be torn; what is before it counts
    }
  }
}
