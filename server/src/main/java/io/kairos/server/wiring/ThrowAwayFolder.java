package io.kairos.server.wiring;

import io.kairos.embedded.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A folder below the system's own for such, deleted at the end with all that is in it. */
final class ThrowAwayFolder implements AutoCloseable {
  private final Path path;
  private boolean kept;

  private ThrowAwayFolder(Path path) {
    this.path = path;
  }

  static ThrowAwayFolder create(String prefix) throws IOException {
    Path path = Files.createTempDirectory(prefix);
    // Started by root, the embedded Postgres may run as another user, who has to get through.
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    return new ThrowAwayFolder(path);
  }

  Path path() {
    return path;
  }

  /** Somebody may want to look into it. */
  void keep() {
    kept = true;
  }

  /** Nobody does any more. */
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
