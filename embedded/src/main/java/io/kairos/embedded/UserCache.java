package io.kairos.embedded;

import java.nio.file.Path;

/**
 * Where the user keeps what can be made again: {@code $XDG_CACHE_HOME/kairos}, by default {@code
 * ~/.cache/kairos}.
 */
final class UserCache {
  private UserCache() {}

  static Path directory() {
    return chosen(Path.of(Require.systemProperty("user.home"), ".cache"));
  }

  /** For what the user nobody must be able to read when root runs Kairos. */
  static Path directoryForAll() {
    return chosen(Path.of("/var/cache"));
  }

  private static Path chosen(Path byDefault) {
    String chosen = System.getenv("XDG_CACHE_HOME");
    Path root = chosen == null || chosen.isBlank() ? byDefault : Path.of(chosen);
    return root.resolve("kairos").toAbsolutePath();
  }
}
