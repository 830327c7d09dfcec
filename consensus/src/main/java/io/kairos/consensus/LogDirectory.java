package io.kairos.consensus;

import io.kairos.domain.replica.ReplicaId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Keeps a replica from using the data of another replica. */
public final class LogDirectory {
  private static final String OWNER = "owner";

  /** Format of a replica's data; raised with every change that other builds cannot read. */
  private static final String FORMAT = "format 1";

  private LogDirectory() {}

  /**
   * Claims an unowned directory for a replica on Ratis. Code that stores other data of the replica
   * there must claim it first; {@link RatisLog#open} does it too.
   *
   * @throws IllegalStateException if the directory belongs to another replica or cluster, has
   *     another format, or contains other files
   * @throws IOException if the directory cannot be read or written
   */
  public static void claim(RatisConfig config) throws IOException {
    claim(config, "");
  }

  /**
   * Claims an unowned directory for a replica on another kind of log, see {@link #claim}.
   *
   * @param kind the kind of the log
   */
  public static void claimFor(String kind, RatisConfig config) throws IOException {
    claim(config, " on " + kind);
  }

  private static void claim(RatisConfig config, String kind) throws IOException {
    Path directory = config.directory();
    Path owner = directory.resolve(OWNER);
    String own = describe(config.clusterName(), config.self(), config.replicas().size()) + kind;
    Files.createDirectories(directory);
    if (Files.getFileStore(directory).supportsFileAttributeView(PosixFileAttributeView.class)) {
      // The log holds payloads and secrets of pools, whatever the umask and whoever made the
      // folder.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
    if (Files.exists(owner)) {
      List<String> lines = Files.readAllLines(owner);
      String found = lines.isEmpty() ? "nobody" : lines.getFirst();
      if (!found.equals(own)) {
        throw new IllegalStateException(
            "%s is the directory of %s, not of %s: name another directory, or correct cluster and replica"
                .formatted(directory, found, own));
      }
      String format = lines.size() > 1 ? lines.get(1) : "a format without a number";
      if (!format.equals(FORMAT)) {
        throw new IllegalStateException(
            "%s was written by another build of Kairos in %s, and this build reads and writes %s: nothing was changed; go on with that build, or begin as after the loss of the directory, which the other replicas fill"
                .formatted(directory, format, FORMAT));
      }
      return;
    }
    Path written = WholeFile.beside(owner);
    try (Stream<Path> all = Files.list(directory)) {
      Optional<Path> other = all.filter(each -> !each.equals(written)).sorted().findFirst();
      if (other.isPresent()) {
        throw new IllegalStateException(
            "%s has %s in it and is no replica's: name an empty directory"
                .formatted(directory, other.get().getFileName()));
      }
    }
    WholeFile.write(owner, StandardCharsets.UTF_8.encode(own + "\n" + FORMAT));
  }

  private static String describe(String cluster, ReplicaId self, int size) {
    return "%s of %d of cluster %s".formatted(self, size, cluster);
  }
}
