package io.kairos.embedded;

import java.nio.file.Path;

/**
 * The user's cache folder for data that can be made again: {@code $XDG_CACHE_HOME/kairos}, by
 * default {@code ~/.cache/kairos}.
 */
final class UserCache {
  private UserCache() {}

  static Path directory() {
    return chosen(Path.of(OptionChecks.systemProperty("user.home"), ".cache"));
  }

  /** Returns the cache that the user nobody can read, for when root runs Kairos. */
  static Path directoryForAll() {
    return chosen(Path.of("/var/cache"));
  }

  private static Path chosen(Path byDefault) {
    String chosen = System.getenv("XDG_CACHE_HOME");
    Path root = chosen == null || chosen.isBlank() ? byDefault : Path.of(chosen);
    return root.resolve("kairos").toAbsolutePath();
  }
}
