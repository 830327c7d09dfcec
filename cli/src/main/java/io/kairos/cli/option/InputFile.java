package io.kairos.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is named on the command line, - for standard input. */
public final class InputFile {
  private InputFile() {}

  static byte[] bytes(String file) throws IOException {
    return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
  }

  public static String text(String file) throws IOException {
    return file.equals("-")
        ? new String(System.in.readAllBytes(), UTF_8)
        : Files.readString(Path.of(file));
  }
}
