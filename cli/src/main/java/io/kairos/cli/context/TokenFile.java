package io.kairos.cli.context;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with an API token. */
public final class TokenFile {
  private TokenFile() {}

  /**
   * Returns the token. Throws IllegalArgumentException, with what to do, when others can read or
   * change the file, and UncheckedIOException when it cannot be read.
   */
  public static String read(Path file) {
    check(file);
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Throws what {@link #read} would throw for the permissions of the file. */
  public static void check(Path file) {
    try {
      if (Files.isRegularFile(file)) { // others, such as pipes, end with their process
        FileProtection.requireSecret(file);
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static UncheckedIOException unreadable(IOException cause) {
    return new UncheckedIOException("cannot read the token", cause);
  }
}
