package io.kairos.embedded;

import static java.util.Objects.requireNonNull;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/**
 * The Postgres programs, unpacked once per user and version into a cache folder (60 MB, about two
 * seconds). When several processes need them at once, one unpacks into a temporary folder and
 * renames it; the others wait.
 */
record PostgresBinaries(Path home) {
  /** As the build names it. */
  static final String VERSION = version();

  /**
   * Part of every path with data, because a newer major version cannot read the files of an older
   * one.
   */
  static final String MAJOR = VERSION.substring(0, VERSION.indexOf('.'));

  private static final Logger LOG = LoggerFactory.getLogger(PostgresBinaries.class);

  /** The artifact's version, 18.6.0, names Postgres 18.6. */
  private static String version() {
    String artifact =
        requireNonNull(OptionChecks.defaults("postgres-binaries.properties").get("version"));
    return artifact.substring(0, artifact.lastIndexOf('.'));
  }

  Path program(String name) {
    return home.resolve("bin").resolve(name);
  }

  /**
   * Returns the programs, unpacked if necessary; by one thread of this JVM at a time, because file
   * locks are per process.
   */
  static synchronized PostgresBinaries installed(Path cache) {
    Platform platform = Platform.current();
    Path home = cache.resolve("postgres-" + VERSION + "-" + platform.name);
    PostgresBinaries binaries = new PostgresBinaries(home);
    if (binaries.complete()) {
      return binaries;
    }
    try {
      Files.createDirectories(cache);
      Path lockFile = cache.resolve(home.getFileName() + ".lock");
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = channel.lock()) {
        if (held.isValid() && !binaries.complete()) {
          LOG.info("unpacking Postgres {} to {}", VERSION, home);
          Path fresh = cache.resolve(home.getFileName() + ".new");
          FileTree.delete(fresh);
          unpack(platform, fresh);
          FileTree.delete(home);
          Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        }
      }
      return binaries;
    } catch (IOException e) {
      throw new EmbeddedStartException(
          Problem.DIRECTORY_UNUSABLE,
          "Cannot unpack Postgres to %s: %s (XDG_CACHE_HOME chooses another place)."
              .formatted(home, e),
          e);
    }
  }

  private boolean complete() {
    return Files.isExecutable(program("postgres")) && Files.isExecutable(program("initdb"));
  }

  private static void unpack(Platform platform, Path target) throws IOException {
    Path root = target.toAbsolutePath().normalize();
    try (InputStream resource = open(platform);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(resource)))) {
      Files.createDirectories(root);
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = root.resolve(entry.getName()).normalize();
        if (!path.startsWith(root)) {
          throw new IOException("entry outside the archive's folder: " + entry.getName());
        }
        write(tar, entry, path);
      }
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path path)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(path);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
      return;
    }
    Path parent = path.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, path);
      boolean program = (entry.getMode() & 0100) != 0;
      Files.setPosixFilePermissions(
          path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  private static InputStream open(Platform platform) {
    InputStream resource = PostgresBinaries.class.getResourceAsStream(platform.resource);
    if (resource == null) {
      throw new EmbeddedStartException(
          Problem.PLATFORM_NOT_SUPPORTED,
          "This build carries no Postgres for %s: build it on that system or use an external Postgres."
              .formatted(platform.name));
    }
    return resource;
  }

  /** A system for which binaries of this version exist. */
  private record Platform(String name, String resource) {
    static Platform current() {
      String os = OptionChecks.systemProperty("os.name").toLowerCase(Locale.ROOT);
      String processor = OptionChecks.systemProperty("os.arch").toLowerCase(Locale.ROOT);
      boolean intel = processor.equals("amd64") || processor.equals("x86_64");
      boolean arm = processor.equals("aarch64") || processor.equals("arm64");
      boolean linux = os.equals("linux");
      if ((intel || arm) && (linux || os.startsWith("mac"))) {
        return new Platform(
            (linux ? "linux" : "macos") + (intel ? "-amd64" : "-arm64"),
            "/postgres-%s-%s.txz"
                .formatted(linux ? "linux" : "darwin", intel ? "x86_64" : "arm_64"));
      }
      throw new EmbeddedStartException(
          Problem.PLATFORM_NOT_SUPPORTED,
          "There is no embedded Postgres for %s on %s: use Linux or macOS on a 64-bit Intel or ARM processor, or an external Postgres."
              .formatted(os, processor));
    }
  }
}
