package io.kairos.bench.rig;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system of a few hundred megabytes in memory (tmpfs, Linux, root), to be filled up. */
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK = 1 << 16;
  private static final List<String> FILLERS = List.of("filler", "filler-2");

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
    fill(FILLERS.getFirst(), BLOCK);
    fill(FILLERS.getLast(), 1);
  }

  private void fill(String name, int bytes) {
    byte[] block = new byte[bytes];
    try (OutputStream out = Files.newOutputStream(resolve(name))) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      // The disk is full, as wanted.
    }
  }

  /** Gives the bytes back. */
  public void free() {
    try {
      for (String name : FILLERS) {
        Files.deleteIfExists(resolve(name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot free the small disk", e);
    }
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
