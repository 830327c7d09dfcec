package io.kairos.bench.observe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What several processes have seen, one line each, in the order in which it took place: all
 * processes append to one file, each line by one write, which the kernel does not interleave and
 * which a {@code SIGKILL} does not take back. Thread-safe.
 */
public final class JsonLines<T extends Record> implements Closeable {
  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  /** Longer than any line. */
  private static final int CHUNK = 1 << 20;

  /** Not a channel, which an interrupted handler would close for all. */
  private final FileOutputStream file;

  private JsonLines(FileOutputStream file) {
    this.file = file;
  }

  public static <T extends Record> JsonLines<T> append(Path file) throws IOException {
    return new JsonLines<>(new FileOutputStream(file.toFile(), true));
  }

  /** Appends a line. */
  public void write(T line) throws IOException {
    file.write((JSON.writeValueAsString(line) + '\n').getBytes(UTF_8));
  }

  /** Reads along while others write. Not thread-safe. */
  public static final class Tail<T extends Record> {
    private final Path file;
    private final Class<T> type;
    private long position;

    public Tail(Path file, Class<T> type) {
      this.file = file;
      this.type = type;
    }

    /** Hands over what has come since the last time. */
    public void forEachNew(Consumer<T> reader) throws IOException {
      if (!Files.exists(file)) {
        return;
      }
      byte[] chunk = new byte[CHUNK];
      try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
        for (int whole = read(in, chunk); whole > 0; whole = read(in, chunk)) {
          position += whole;
          JSON.readerFor(type).<T>readValues(chunk, 0, whole).forEachRemaining(reader);
        }
      }
    }

    /** Reads whole lines: a line without its line break is still being written. */
    private int read(RandomAccessFile in, byte[] chunk) throws IOException {
      in.seek(position);
      int whole = in.read(chunk);
      while (whole > 0 && chunk[whole - 1] != '\n') {
        whole--;
      }
      return whole;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
