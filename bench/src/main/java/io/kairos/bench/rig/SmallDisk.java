package io.kairos.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file system of a few hundred megabytes in memory (tmpfs, Linux, root), which a fault run fills.
 */
public final class SmallDisk implements AutoCloseable {

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  /** Mounts the file system; empty when that is not allowed here. */
  public static Optional<SmallDisk> mount(Path folder, int mebibytes) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + folder, e);
    }
    return run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString())
        ? Optional.of(new SmallDisk(folder))
        : Optional.empty();
  }

  public Path resolve(String name) {
    return folder.resolve(name);
  }

  /** Takes every byte that is left. */
  public void fill() {
    run("dd", "if=/dev/zero", "of=" + filler(), "bs=64k");
  }

  /** Gives the bytes back. */
  public void free() {
    try {
      Files.delete(filler());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot free the small disk", e);
    }
  }

  private Path filler() {
    return resolve("filler");
  }

  @Override
  public void close() {
    if (!run("umount", folder.toString())) {
      run("umount", "-l", folder.toString());
    }
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .onExit()
              .join()
              .exitValue()
          == 0;
    } catch (IOException none) {
      return false;
    }
  }
}
