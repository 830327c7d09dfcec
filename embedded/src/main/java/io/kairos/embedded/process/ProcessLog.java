package io.kairos.embedded.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The log file of one child. The child itself writes it, because a pipe through this JVM would
 * stall a database whose parent is paused. This class bounds it: it keeps one older generation, and
 * empties the file of a running child that exceeds its bound. The child appends, so emptying is
 * safe at any time.
 */
public record ProcessLog(Path path) {
  /**
   * Bound on one generation. A child's logs take at most twice this size, and the output of half a
   * minute.
   */
  private static final long MAX_BYTES = 16L << 20;

  private static final int TAIL_BYTES = 16 << 10;
  private static final Set<ProcessLog> OPEN = ConcurrentHashMap.newKeySet();

  /** Starts a new generation and watches its size until {@link #close()}. */
  public void open() throws IOException {
    if (Files.exists(path) && Files.size(path) > 0) {
      Files.move(path, old(), StandardCopyOption.REPLACE_EXISTING);
    }
    OPEN.add(this);
  }

  public void close() {
    OPEN.remove(this);
  }

  /**
   * For a message: the last line that looks like a reason, or else the last line, and the path of
   * the log.
   */
  public String reason(Predicate<String> looksLikeIt) {
    List<String> newestFirst = tail().reversed();
    String last = newestFirst.isEmpty() ? "it gave no reason" : newestFirst.getFirst();
    String line = newestFirst.stream().filter(looksLikeIt).findFirst().orElse(last);
    return line.strip() + " (see " + path + ").";
  }

  /** True when one of the last lines of this generation contains the text. */
  public boolean mentions(String text) {
    return tail().stream().anyMatch(line -> line.contains(text));
  }

  private List<String> tail() {
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate(TAIL_BYTES);
      channel.position(Math.max(0, channel.size() - TAIL_BYTES));
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // read on
      }
      return UTF_8.decode(bytes.flip()).toString().lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  static void trimAll() {
    OPEN.forEach(ProcessLog::trim);
  }

  private void trim() {
    try {
      if (Files.exists(path) && Files.size(path) > MAX_BYTES) {
        Files.copy(path, old(), StandardCopyOption.REPLACE_EXISTING);
        FileChannel.open(path, StandardOpenOption.WRITE).truncate(0).close();
      }
    } catch (IOException e) {
      // Tried again in half a minute; an exception would end the trimming of all logs.
    }
  }

  private Path old() {
    return path.resolveSibling(path.getFileName() + ".1");
  }
}
