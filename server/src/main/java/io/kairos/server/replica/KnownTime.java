package io.kairos.server.replica;

import io.kairos.engine.cron.AgreedTimeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with the settings of agreed time that the replica began with. With others, a replay of the
 * log would lead to another state.
 */
public record KnownTime(Path directory) {
  /**
   * Checks that the settings are the former ones, and remembers them at the first start.
   *
   * @throws IllegalArgumentException that names both
   */
  public void check(AgreedTimeConfig config) {
    String now =
        "%s %s, %s %dms"
            .formatted(
                AgreedTimeConfig.MODE,
                config.isOn() ? "on" : "off",
                AgreedTimeConfig.EPSILON,
                config.epsilon().toMillis());
    Path file = directory.resolve("time.txt");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(directory);
        Files.writeString(file, now + "\n");
        return;
      }
      String known = Files.readString(file).strip();
      if (!known.equals(now)) {
        throw new IllegalArgumentException(
            "The settings of agreed time are %s, and the log of this replica was begun with %s: set these again, or begin a new cluster in empty directories."
                .formatted(now, known));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
