package io.kairos.bench.rig;

import io.kairos.embedded.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder with the data and logs of one run of the bench, deleted at the end unless it is to be
 * kept.
 */
public final class WorkFolder implements AutoCloseable {
  private final Path folder;
  private final boolean keep;

  private WorkFolder(Path folder, boolean keep) {
    this.folder = folder;
    this.keep = keep;
  }

  /** A new folder below {@code parent}. */
  public static WorkFolder below(Path parent, boolean keep) {
    try {
      Files.createDirectories(parent);
      return new WorkFolder(
          Files.createTempDirectory(parent.toAbsolutePath(), "kairos-bench-"), keep);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a folder for the bench below " + parent, e);
    }
  }

  public Path folder() {
    return folder;
  }

  public Path resolve(String name) {
    return folder.resolve(name);
  }

  @Override
  public void close() {
    if (keep) {
      return;
    }
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + folder, e);
    }
  }
}
