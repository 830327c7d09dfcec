package io.kairos.server.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that marks a directory whose state differs from the other replicas'. A replica that
 * started again from it would serve a wrong state until the next comparison.
 *
 * @param beforeStart what must be done before a start without the directory, as the end of a
 *     sentence; empty for nothing
 */
public record DivergenceMark(Path directory, FileWriting files, String beforeStart) {
  private Path file() {
    return directory.resolve("diverged.txt");
  }

  /** The reason why the directory cannot be used; empty if it can. */
  public Optional<String> refusal() {
    if (!Files.exists(file())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          "This replica has stopped before: %s. While all other replicas are well, remove %s%s; they fill it again."
              .formatted(
                  Files.readString(file()).strip(),
                  directory.toAbsolutePath().normalize(),
                  beforeStart));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Marks the directory, with the reason. */
  public void write(String why) throws IOException {
    files.write(file(), UTF_8.encode(why + "\n"));
  }
}
