package io.kairos.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An archive of the classes that a broker loads, which saves more than half of a start's CPU time
 * (JEP 350). The broker's JVM writes the archive at the end of its first run, which then takes two
 * seconds longer; later runs use it. The user's cache keeps at most {@value #KEPT} archives of 50
 * MB each, named after the jars and the JVM that they depend on; the JVM checks these again.
 * Without a valid archive a broker starts more slowly. Class paths with folders, such as those of a
 * build's tests, are not archived, because the JVM cannot do it.
 */
final class BrokerArchive {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerArchive.class);
  private static final int KEPT = 3;
  private static final Pattern SEPARATOR = Pattern.compile(File.pathSeparator, Pattern.LITERAL);
  private static final Pattern FRESH = Pattern.compile(".*\\.(\\d{1,18})\\.new");
  private static final String PREFIX = "broker-";
  private static final String SUFFIX = ".jsa";

  private final Path file;
  private final Path fresh;
  private final boolean possible;

  private BrokerArchive(Path file, boolean possible) {
    this.file = file;
    this.fresh = fresh(file, ProcessHandle.current().pid());
    this.possible = possible;
  }

  static BrokerArchive forClassPath(String classPath, Path cache) {
    List<String> entries = SEPARATOR.splitAsStream(classPath).toList();
    try {
      boolean onlyJars = entries.stream().allMatch(entry -> entry.endsWith(".jar"));
      if (onlyJars) {
        Files.createDirectories(cache);
        return new BrokerArchive(cache.resolve(PREFIX + key(classPath, entries) + SUFFIX), true);
      }
    } catch (IOException e) {
      LOG.debug("no archive of the broker's classes: {}", e.toString());
    }
    return new BrokerArchive(cache.resolve(PREFIX + "none"), false);
  }

  /**
   * Options for the broker's JVM: to use the archive or, if there is none yet, to write it at the
   * end.
   */
  List<String> jvmOptions() {
    if (!possible) {
      return List.of();
    }
    String use =
        Files.isReadable(file)
            ? "-XX:SharedArchiveFile=" + file
            : "-XX:ArchiveClassesAtExit=" + fresh;
    return List.of(use, "-Xlog:cds*=off", "-Xlog:aot*=off");
  }

  /**
   * Adopts the archive that the broker's JVM has written at its end.
   *
   * @param complete false when that JVM was killed, perhaps while it was writing
   */
  void adopt(boolean complete) {
    try {
      if (complete && Files.exists(fresh)) {
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        sweep();
      }
      Files.deleteIfExists(fresh);
    } catch (IOException e) {
      LOG.debug("cannot keep the archive of the broker's classes: {}", e.toString());
    }
  }

  /** Deletes archives of replaced jars, and leftovers of killed processes. */
  private void sweep() throws IOException {
    List<Path> others;
    try (Stream<Path> files = Files.list(file.resolveSibling("."))) {
      others = files.filter(path -> String.valueOf(path.getFileName()).startsWith(PREFIX)).toList();
    }
    List<Path> superfluous =
        Stream.concat(
                others.stream().filter(BrokerArchive::isAbandoned),
                others.stream()
                    .filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted(Comparator.comparing(BrokerArchive::written).reversed())
                    .skip(KEPT))
            .toList();
    for (Path path : superfluous) {
      Files.deleteIfExists(path);
    }
  }

  private static Path fresh(Path file, long pid) {
    return file.resolveSibling(file.getFileName() + "." + pid + ".new");
  }

  private static boolean isAbandoned(Path path) {
    Matcher name = FRESH.matcher(path.toString());
    return name.matches() && ProcessHandle.of(Long.parseLong(name.replaceFirst("$1"))).isEmpty();
  }

  private static FileTime written(Path path) {
    try {
      return Files.getLastModifiedTime(path);
    } catch (IOException gone) {
      return FileTime.fromMillis(0);
    }
  }

  /**
   * Returns the jar and its neighbours: the only jar on the class path of a packaged application
   * lists the others in its manifest.
   */
  private static List<String> jarsBeside(Path jar) throws IOException {
    try (Stream<Path> files = Files.list(jar.toAbsolutePath().resolveSibling("."))) {
      return files
          .filter(path -> path.toString().endsWith(".jar"))
          .map(path -> path + " " + path.toFile().length() + " " + written(path))
          .toList();
    }
  }

  private static String key(String classPath, List<String> entries) throws IOException {
    TreeSet<String> parts = new TreeSet<>();
    for (String entry : entries) {
      parts.addAll(jarsBeside(Path.of(entry)));
    }
    parts.add(classPath);
    parts.add(
        OptionChecks.systemProperty("java.vm.version") + OptionChecks.systemProperty("java.home"));
    return UUID.nameUUIDFromBytes(String.join("\n", parts).getBytes(UTF_8)).toString();
  }
}
