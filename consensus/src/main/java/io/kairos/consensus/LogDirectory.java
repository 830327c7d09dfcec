package io.kairos.consensus;

import io.kairos.domain.replica.ReplicaId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Sees to it that a replica does not go on with the log of another. */
final class LogDirectory {
  private static final String OWNER = "owner";

  private LogDirectory() {}

  /**
   * Makes a directory the own one, if it is nobody's.
   *
   * @throws IllegalStateException if it belongs to another replica or cluster, or has else in it
   */
  static void claim(RatisConfig config) throws IOException {
    Path directory = config.directory();
    Path owner = directory.resolve(OWNER);
    String own = describe(config.clusterName(), config.self(), config.replicas().size());
    Files.createDirectories(directory);
    if (Files.exists(owner)) {
      String found = Files.readString(owner, StandardCharsets.UTF_8);
      if (!found.equals(own)) {
        throw new IllegalStateException(
            "%s holds the log of %s, not of %s: name another directory, or correct cluster and replica"
                .formatted(directory, found, own));
      }
      return;
    }
    Path written = directory.resolve(OWNER + ".tmp"); // perhaps left by one that died here
    try (Stream<Path> all = Files.list(directory)) {
      if (all.anyMatch(each -> !each.equals(written))) {
        throw new IllegalStateException(
            directory + " is not empty and holds no replica's log: name another directory");
      }
    }
    Files.writeString(written, own, StandardCharsets.UTF_8);
    Files.move(written, owner);
  }

  private static String describe(String cluster, ReplicaId self, int size) {
    return "%s of %d of cluster %s".formatted(self, size, cluster);
  }
}
