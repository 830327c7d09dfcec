package io.kairos.client.exec;

import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskResult;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The predecessors of a task in a directory of their own, for the program that performs the task:
 * the file {@code list} has a line for each with its id, handler, state, length of its result in
 * bytes and content type, separated by tabs, and each result that was handed over is in the file
 * {@code ID.result}. Where the file system knows permissions, only this user may read them.
 */
final class PredecessorFiles implements AutoCloseable {
  private static final String LIST = "list";

  private final @Nullable Path directory;

  private PredecessorFiles(@Nullable Path directory) {
    this.directory = directory;
  }

  /** Writes the files; none for a task without predecessors. */
  static PredecessorFiles of(List<Predecessor> predecessors) throws IOException {
    if (predecessors.isEmpty()) {
      return new PredecessorFiles(null);
    }
    PredecessorFiles files =
        new PredecessorFiles(Files.createTempDirectory("kairos-predecessors-"));
    try {
      files.write(predecessors);
      return files;
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  private void write(List<Predecessor> predecessors) throws IOException {
    if (directory == null) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    for (Predecessor one : predecessors) {
      TaskResult result = one.value();
      lines
          .append(
              String.join(
                  "\t",
                  one.id().toString(),
                  one.handler(),
                  one.state().name(),
                  Long.toString(one.resultBytes()),
                  result == null ? "" : result.contentType()))
          .append('\n');
      if (result != null) {
        Files.write(directory.resolve(one.id() + ".result"), result.value());
      }
    }
    Files.writeString(directory.resolve(LIST), lines);
  }

  /** The directory; null for a task without predecessors. */
  @Nullable Path directory() {
    return directory;
  }

  @Override
  public void close() throws IOException {
    if (directory == null) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory);
  }
}
