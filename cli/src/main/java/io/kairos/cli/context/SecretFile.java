package io.kairos.cli.context;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with an API token or a private key, which the client reads. */
public final class SecretFile {
  private SecretFile() {}

  /**
   * Throws IllegalArgumentException, with what to do, when others can read or change the file. One
   * that is missing is left to its reader.
   */
  public static void check(Path file) {
    try {
      if (Files.isRegularFile(file)) { // others, such as pipes, end with their process
        FileProtection.requireSecret(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot see who may read " + file, e);
    }
  }
}
