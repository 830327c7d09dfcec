package io.kairos.bench.measure;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads files that others write, such as logs and those of {@code /proc}. */
public final class FileLines {
  private FileLines() {}

  /** All lines; none when the file is not there, or not any more. */
  public static List<String> of(Path file, Charset charset) {
    try {
      return Files.readAllLines(file, charset);
    } catch (IOException notThere) {
      return List.of();
    }
  }
}
