package io.kairos.junit;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** Finds a Java 25 in the places where {@code ./kairos} looks for it. */
final class JavaHome {
  private static final int FEATURE = 25;
  private static final String PROPERTY = "kairos.java.home";
  private static final String VARIABLE = "KAIROS_JAVA_HOME";

  private JavaHome() {}

  static Path find() {
    String given = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (given != null) {
      if (feature(Path.of(given)) < FEATURE) {
        throw new IllegalStateException(
            PROPERTY + " or " + VARIABLE + " is " + given + ", which is no Java " + FEATURE);
      }
      return Path.of(given);
    }
    Path newer = null;
    for (Path home : candidates()) {
      int feature = feature(home);
      if (feature == FEATURE) {
        return home;
      }
      if (feature > FEATURE && newer == null) {
        newer = home;
      }
    }
    if (newer == null) {
      throw new IllegalStateException(
          "no Java "
              + FEATURE
              + " found for the test node: install one, or name it by the system property "
              + PROPERTY
              + " or the variable "
              + VARIABLE);
    }
    return newer;
  }

  private static List<Path> candidates() {
    List<Path> homes = new ArrayList<>();
    homes.add(Path.of(requireNonNull(System.getProperty("java.home"))));
    String javaHome = System.getenv("JAVA_HOME");
    if (javaHome != null && !javaHome.isEmpty()) {
      homes.add(Path.of(javaHome));
    }
    String path = System.getenv("PATH");
    for (String folder : (path == null ? "" : path).split(File.pathSeparator, -1)) {
      Path java = Path.of(folder, "java");
      if (Files.isExecutable(java)) {
        homes.add(homeOf(java));
      }
    }
    String user = System.getProperty("user.home");
    for (String folder :
        List.of(
            "/usr/lib/jvm",
            "/usr/java",
            "/opt/java",
            "/opt",
            user + "/.sdkman/candidates/java",
            user + "/.jdks",
            user + "/.gradle/jdks",
            "/Library/Java/JavaVirtualMachines")) {
      for (Path home : in(Path.of(folder))) {
        homes.add(home);
        homes.add(home.resolve("Contents/Home"));
      }
    }
    return homes;
  }

  private static Path homeOf(Path java) {
    try {
      return java.toRealPath().resolve("../..").normalize();
    } catch (IOException e) {
      return java; // a link to nowhere, which is no home either
    }
  }

  private static List<Path> in(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    } catch (IOException e) {
      return List.of(); // not there, or not to be read: nothing there for us
    }
  }

  /** Returns the major version of a Java home; 0 when there is none. */
  private static int feature(Path home) {
    Path release = home.resolve("release");
    if (!Files.isReadable(release) || !Files.isExecutable(home.resolve("bin/java"))) {
      return 0;
    }
    Properties words = new Properties();
    try (var reader = Files.newBufferedReader(release)) {
      words.load(reader);
    } catch (IOException e) {
      return 0;
    }
    String version = requireNonNull(words.getProperty("JAVA_VERSION", "")).replace("\"", "");
    String feature = version.replaceFirst("^1\\.", "").replaceFirst("[^0-9].*$", "");
    return feature.isEmpty() ? 0 : Integer.parseInt(feature);
  }
}
