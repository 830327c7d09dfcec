package io.kairos.server.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.engine.cron.AgreedTimeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A file with the settings of agreed time that the replica began with. With others, a replay of the
 * log would lead to another state. A log without the file was begun by a build that had the
 * defaults only.
 *
 * @param beforeStart what must be done before a start without the directory, as the end of a
 *     sentence; empty for nothing
 */
public record KnownTime(Path directory, FileWriting files, String beforeStart) {
  /** The first of what a log on Ratis and one on the hashgraph write. */
  private static final List<String> BEGUN_BY = List.of("log", "journal");

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
      boolean isBegun = BEGUN_BY.stream().map(directory::resolve).anyMatch(Files::exists);
      String known =
          Files.exists(file)
              ? new String(Files.readAllBytes(file), UTF_8).strip()
              : isBegun ? BEFORE_THE_SETTINGS : now;
      if (isBegun && !known.matches(text("(on|off)", "\\d+"))) {
        throw new IllegalArgumentException(
            "%s is damaged: copy it from another replica of the cluster, or remove this replica's directory%s; the others fill it again."
                .formatted(file.toAbsolutePath().normalize(), beforeStart));
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
