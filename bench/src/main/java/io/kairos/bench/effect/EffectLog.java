package io.kairos.bench.effect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Effects outside of the workers, one line each, in the order in which they took place: all workers
 * append to one file, each line by one write, which the kernel does not interleave and which a
 * {@code SIGKILL} does not take back. Thread-safe.
 */
public final class EffectLog implements Closeable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Not a channel, which an interrupted handler would close for all. */
  private final FileOutputStream file;

  private EffectLog(FileOutputStream file) {
    this.file = file;
  }

  public static EffectLog append(Path file) throws IOException {
    return new EffectLog(new FileOutputStream(file.toFile(), true));
  }

  /** The kind of a line. */
  public enum Kind {
    /** A handler begins. */
    BEGIN,
    /** A handler has had an effect. */
    EFFECT,
    /** A handler has had all its effects. */
    END
  }

  /**
   * A line.
   *
   * @param sequence of the load that the task belongs to
   * @param pid of the worker or executor
   * @param nanos taken right before the effect, by the clock that all processes of this machine
   *     share and nobody sets (CLOCK_MONOTONIC)
   */
  public record Effect(Kind kind, UUID task, long fence, long sequence, long pid, long nanos) {}

  void write(Effect effect) throws IOException {
    file.write((JSON.writeValueAsString(effect) + '\n').getBytes(US_ASCII));
  }

  /** Reads along while others write. Not thread-safe. */
  public static final class Tail {
    private final Path file;
    private long position;

    public Tail(Path file) {
      this.file = file;
    }

    /** Hands over what has come since the last time. */
    public void forEachNew(Consumer<Effect> reader) throws IOException {
      if (!Files.exists(file)) {
        return;
      }
      try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
        byte[] rest = new byte[Math.toIntExact(in.length() - position)];
        in.seek(position);
        in.readFully(rest);
        String text = new String(rest, US_ASCII);
        // A line without its line break is still being written.
        int whole = text.lastIndexOf('\n') + 1;
        position += whole;
        JSON.readerFor(Effect.class)
            .<Effect>readValues(text.substring(0, whole))
            .forEachRemaining(reader);
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
