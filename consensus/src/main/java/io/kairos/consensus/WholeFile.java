package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes files atomically: a file exists as a whole or not at all, even after a power failure. */
public final class WholeFile {
  private WholeFile() {}

  /** Writes a temporary file first, so that no partial file has the final name. */
  public static void write(Path file, ByteBuffer... parts) throws IOException {
    Path beside = beside(file);
    try (FileChannel channel =
        FileChannel.open(
            beside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (ByteBuffer part : parts) {
        writeAll(channel, part);
      }
      channel.force(true);
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    // The replaced file may be deleted next, so the new name must be on the disk too.
    try (FileChannel directory = FileChannel.open(requireNonNull(file.getParent()))) {
      directory.force(true);
    }
  }

  /**
   * Returns the temporary path of a file while it is written; a process that dies meanwhile leaves
   * it there.
   */
  static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + ".writing");
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
