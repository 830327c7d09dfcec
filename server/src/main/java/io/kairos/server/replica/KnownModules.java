package io.kairos.server.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * A file with the modules that a replica has had. Without one of them, a replay of the log would
 * refuse requests that were accepted before, and lead to another state.
 */
public record KnownModules(Path directory, FileWriting files) {
  /**
   * Checks that all former modules are present, and remembers new ones.
   *
   * @throws IllegalArgumentException that names the missing modules
   */
  public void check(Collection<String> present) {
    Path file = directory.resolve("modules.txt");
    try {
      Set<String> known = new TreeSet<>(Files.exists(file) ? Files.readAllLines(file) : Set.of());
      Set<String> missing = new TreeSet<>(known);
      missing.removeAll(present);
      if (!missing.isEmpty()) {
        throw new IllegalArgumentException(
            "replica.modules does not have %s, which this replica has had: what is in its log needs them"
                .formatted(String.join(", ", missing)));
      }
      if (known.addAll(present)) {
        Files.createDirectories(directory);
        files.write(file, UTF_8.encode(String.join("\n", known) + "\n"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
