package io.kairos.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Figures for the documentation, in {@code target/figures.txt}; no test is decided by them. */
final class Figures {
  private Figures() {}

  static void note(String pattern, Object... values) throws IOException {
    Files.writeString(
        Path.of("target/figures.txt"),
        String.format(Locale.ROOT, pattern + "%n", values),
        UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
