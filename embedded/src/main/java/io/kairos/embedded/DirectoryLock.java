package io.kairos.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second owner out of a data directory. The kernel drops the lock with the process that
 * holds it, so {@code kill -9} leaves no stale lock; the process id in the file is for the message
 * only.
 */
record DirectoryLock(FileChannel channel) implements AutoCloseable {
  static DirectoryLock take(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        if (tryLock(channel) == null) {
          throw inUse(file, channel);
        }
        channel.truncate(0);
        channel.write(
            ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)));
        return new DirectoryLock(channel);
      } catch (EmbeddedStartException | IOException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw EmbeddedStartException.unusable("Cannot write " + file, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException ours) {
      return null;
    }
  }

  private static EmbeddedStartException inUse(Path file, FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(32);
    channel.read(bytes, 0);
    String holder = UTF_8.decode(bytes.flip()).toString().strip();
    return new EmbeddedStartException(
        Problem.DIRECTORY_IN_USE,
        "The data directory %s is in use by process %s: stop that process or choose another data directory."
            .formatted(file.toAbsolutePath().getParent(), holder.isEmpty() ? "(unknown)" : holder));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot release a directory lock", e);
    }
  }
}
