package io.kairos.client.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.handler.TaskContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The file into which a program writes how far it has come: a line with a percentage and, if it
 * likes, a note for people. Another text is ignored, since it may be half written. Used by the
 * thread that performs the task. Where the file system knows permissions, only this user may read
 * and write it.
 */
final class ProgressFile implements AutoCloseable {
  /** The percentage, and 500 characters of which each has three bytes. */
  private static final int MOST_BYTES = 2_048;

  private static final Pattern LINE = Pattern.compile("\\d{1,3}%?(\\s.*)?");

  private final Path file;
  private String told = "";

  private ProgressFile(Path file) {
    this.file = file;
  }

  static ProgressFile create() throws IOException {
    return new ProgressFile(Files.createTempFile("kairos-progress-", ""));
  }

  Path path() {
    return file;
  }

  /** Hands over what the program has written since the last call. */
  void tell(TaskContext context) {
    if (!Files.isRegularFile(file)) {
      return; // removed, or replaced by a pipe, whose opening would wait for ever
    }
    String text;
    try (InputStream in = Files.newInputStream(file)) {
      text = new String(in.readNBytes(MOST_BYTES), UTF_8);
    } catch (IOException e) {
      return; // the program has removed it
    }
    String line = text.lines().findFirst().orElse("").strip();
    if (!line.equals(told) && LINE.matcher(line).matches()) {
      told = line;
      String[] parts = line.split("%?\\s+|%", 2);
      context.progress(Integer.parseInt(parts[0]), parts.length == 1 ? "" : parts[1]);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // it stays in the directory for temporary files
    }
  }
}
