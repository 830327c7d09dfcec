package io.kairos.client.exec;

import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The predecessors of a task in a directory of their own, for the program that performs the task:
 * the file {@code list} has a line for each with its id, handler, state, length of its result in
 * bytes and content type, separated by tabs, and each result that was handed over and can be
 * decrypted is in the file {@code ID.result}; the line of another has no content type. Where the
 * file system knows permissions, only this user may read them.
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
      TaskResult result = result(one);
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

  /** Null for none, and for one that cannot be decrypted: the program may do without it. */
  private static @Nullable TaskResult result(Predecessor one) {
    try {
      return one.result().orElse(null);
    } catch (PayloadDecryptionException e) {
      return null;
    }
  }

  /** The directory; null for a task without predecessors. */
  @Nullable Path directory() {
    return directory;
  }

  /**
   * Removes the directory with what the program has put there. Does nothing more when that fails:
   * the outcome of the attempt is that of the program.
   */
  @Override
  public void close() {
    if (directory == null || !Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(PredecessorFiles::delete);
    } catch (IOException | UncheckedIOException e) {
      // the rest stays in the directory for temporary files
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // so does this one
    }
  }
}
