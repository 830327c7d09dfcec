package io.kairos.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The folder that holds the data and logs of one bench run, deleted at the end unless it is to be
 * kept.
 */
public final class Workplace implements AutoCloseable {
  private final Path folder;
  private final boolean keep;

  private Workplace(Path folder, boolean keep) {
    this.folder = folder;
    this.keep = keep;
  }

  /** A new folder below {@code parent}. */
  public static Workplace below(Path parent, boolean keep) {
    try {
      Files.createDirectories(parent);
      return new Workplace(
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
      Files.walkFileTree(folder, new Remover());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + folder, e);
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(
        Path folder, @org.jspecify.annotations.Nullable IOException failure) throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
