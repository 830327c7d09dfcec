package io.kairos.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The temporary home of an engine that all tests of a JVM share; a shutdown hook stops the engine
 * and deletes it.
 */
final class SharedDirectory {
  private SharedDirectory() {}

  static <T> T keep(String name, Function<Path, T> start, Consumer<T> stop) {
    try {
      Path directory = Files.createTempDirectory("kairos-" + name + "-");
      // The server may run as another user, which needs to traverse the directory.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      T engine = start.apply(directory);
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform()
                  .name("kairos-stop-shared-" + name)
                  .unstarted(() -> end(() -> stop.accept(engine), directory)));
      return engine;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void end(Runnable stop, Path directory) {
    stop.run();
    try {
      FileTree.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
