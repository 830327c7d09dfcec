package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes files that are there as a whole or not at all, also after a power cut. */
final class WholeFile {
  private WholeFile() {}

  /** Writes beside the file first, so that there is never half of one under its name. */
  static void write(Path file, ByteBuffer... parts) throws IOException {
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
    // What it takes the place of may be deleted next, so its name must be on the disk, too.
    try (FileChannel directory = FileChannel.open(requireNonNull(file.getParent()))) {
      directory.force(true);
    }
  }

  /** Where a file is while it is written; left there by a process that dies meanwhile. */
  static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + ".writing");
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
