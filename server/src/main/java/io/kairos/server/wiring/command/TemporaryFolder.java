package io.kairos.server.wiring.command;

import io.kairos.embedded.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A folder in the system's temporary directory, deleted at {@link #close} unless it is kept. */
final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private boolean kept;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  static TemporaryFolder create(String prefix) throws IOException {
    Path path = Files.createTempDirectory(prefix);
    // Started by root, the embedded Postgres may run as another user, who needs access.
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    return new TemporaryFolder(path);
  }

  Path path() {
    return path;
  }

  /** Keeps the folder at the end. */
  void keep() {
    kept = true;
  }

  /** Deletes the folder at the end, even if {@link #keep} was called. */
  void discard() {
    kept = false;
  }

  @Override
  public void close() throws IOException {
    if (!kept) {
      FileTree.delete(path);
    }
  }
}
