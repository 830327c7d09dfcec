package io.kairos.server.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.engine.cron.AgreedTimeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A file with the settings of agreed time that the replica began with. With others, a replay of the
 * log would lead to another state. A log without the file was begun by a build that had the
 * defaults only.
 */
public record KnownTime(Path directory, FileWriting files) {
  private static final String BEFORE_THE_SETTINGS = text(true, ClockLimits.PUBLISHED.epsilon());

  /**
   * Checks that the settings are the former ones, and remembers them at the first start.
   *
   * @throws IllegalArgumentException that names both, or the file that cannot be read
   */
  public void check(AgreedTimeConfig config) {
    String now = text(config.isOn(), config.epsilon());
    Path file = directory.resolve("time.txt");
    try {
      boolean isBegun = Files.exists(directory.resolve("log"));
      String known =
          Files.exists(file)
              ? new String(Files.readAllBytes(file), UTF_8).strip()
              : isBegun ? BEFORE_THE_SETTINGS : now;
      if (isBegun && !known.matches(text("(on|off)", "\\d+"))) {
        throw new IllegalArgumentException(
            "%s is damaged: copy it from another replica of the cluster, or remove this replica's directory, which the others fill again."
                .formatted(file.toAbsolutePath().normalize()));
      }
      if (isBegun && !known.equals(now)) {
        throw new IllegalArgumentException(
            "The settings of agreed time are %s, and the log of this replica was begun with %s: set these again, or begin a new cluster in empty directories."
                .formatted(now, known));
      }
      if (!isBegun || !Files.exists(file)) {
        Files.createDirectories(directory);
        files.write(file, UTF_8.encode(now + "\n"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(boolean isOn, Duration epsilon) {
    return text(isOn ? "on" : "off", String.valueOf(epsilon.toMillis()));
  }

  private static String text(String mode, String epsilonMillis) {
    return "%s %s, %s %sms"
        .formatted(AgreedTimeConfig.MODE, mode, AgreedTimeConfig.EPSILON, epsilonMillis);
  }
}
