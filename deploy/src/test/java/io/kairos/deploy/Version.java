package io.kairos.deploy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version in its one place, for files that Maven does not write. */
final class Version {
  private static final Pattern REVISION = Pattern.compile("<revision>(.+)</revision>");

  private Version() {}

  static String current() {
    try {
      Matcher revision = REVISION.matcher(Files.readString(Path.of("../pom.xml")));
      if (!revision.find()) {
        throw new IllegalStateException("no revision in the root POM");
      }
      return requireNonNull(revision.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
