package io.kairos.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.embedded.EmbeddedStartException.Problem;
import io.kairos.embedded.process.ProcessLog;
import io.kairos.embedded.process.ProcessSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of one embedded Postgres: the database cluster, the password of its only user, the log,
 * the lock. A cluster is created in a temporary folder and renamed, so that a crash leaves no
 * incomplete cluster.
 */
record PostgresData(Path directory) {
  static final String USER = "kairos";

  /** English messages, whatever the user's language, because some are parsed. */
  static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C");

  private static final int PASSWORD_BYTES = 24;

  /**
   * Resolves links once, because the path in the command line also identifies an orphan of an
   * earlier run.
   */
  static PostgresData in(Path directory) {
    try {
      Files.createDirectories(directory);
      return new PostgresData(directory.toRealPath());
    } catch (IOException e) {
      throw EmbeddedStartException.unusable("Cannot create the data directory " + directory, e);
    }
  }

  Path cluster() {
    return directory.resolve("pg" + PostgresBinaries.MAJOR);
  }

  Path log() {
    return directory.resolve("postgres.log");
  }

  DirectoryLock lock() {
    return DirectoryLock.take(directory.resolve("postgres.lock"));
  }

  String password() {
    try {
      return Files.readString(passwordFile()).strip();
    } catch (IOException e) {
      throw new EmbeddedStartException(
          Problem.DIRECTORY_UNUSABLE,
          "Cannot read the password of the database in %s: %s (it is made together with the data; without it the data cannot be used)."
              .formatted(cluster(), e),
          e);
    }
  }

  void createIfMissing(PostgresBinaries binaries, ProcessIsolation isolation, ProcessLog log)
      throws InterruptedException {
    if (Files.exists(cluster())) {
      return;
    }
    refuseOtherMajorVersions();
    Path fresh = directory.resolve(cluster().getFileName() + ".new");
    try {
      FileTree.delete(fresh);
      FileTree.createPrivate(fresh);
      isolation.handOver(fresh);
      writePassword();
      isolation.handOver(passwordFile());
      isolation.requireReach(directory);
      ChildProcess initdb =
          ChildProcess.start(
              isolation, ProcessSignal.KILL, initdb(binaries, fresh), ENVIRONMENT, log);
      try {
        if (initdb.waitFor() != 0) {
          throw new EmbeddedStartException(
              Problem.ENDED_EARLY,
              "Creating the database in " + cluster() + " failed: " + log.reason(line -> true));
        }
      } finally {
        // When the wait was interrupted, the caller may delete the directory next.
        initdb.running().killTree();
      }
      Files.move(fresh, cluster(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw EmbeddedStartException.unusable("Cannot create the database in " + cluster(), e);
    }
  }

  /**
   * Refuses a folder with data of another major version: an empty database beside it would look
   * like a loss of data.
   */
  private void refuseOtherMajorVersions() {
    try (Stream<Path> files = Files.list(directory)) {
      files
          .filter(file -> String.valueOf(file.getFileName()).matches("pg\\d+"))
          .findFirst()
          .ifPresent(other -> {
            throw new EmbeddedStartException(
                Problem.DIRECTORY_UNUSABLE,
                "%s was written by Postgres %s, and this build has Postgres %s, which cannot read it: nothing was changed; go on with the build that wrote it, choose another data directory, or use an external Postgres."
                    .formatted(
                        other,
                        String.valueOf(other.getFileName()).substring("pg".length()),
                        PostgresBinaries.MAJOR));
          });
    } catch (IOException e) {
      throw EmbeddedStartException.unusable("Cannot read " + directory, e);
    }
  }

  private List<String> initdb(PostgresBinaries binaries, Path fresh) {
    return List.of(
        binaries.program("initdb").toString(),
        "-D",
        fresh.toString(),
        "-U",
        USER,
        "-A",
        "scram-sha-256",
        "--pwfile=" + passwordFile(),
        "-E",
        "UTF8",
        "--locale=C", // texts are compared by their bytes
        "--data-checksums",
        "--no-instructions");
  }

  private void writePassword() throws IOException {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    Files.deleteIfExists(passwordFile());
    Files.createFile(
        passwordFile(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        passwordFile(),
        Base64.getUrlEncoder().withoutPadding().encodeToString(random),
        UTF_8,
        StandardOpenOption.WRITE);
  }

  private Path passwordFile() {
    return directory.resolve("postgres.password");
  }
}
