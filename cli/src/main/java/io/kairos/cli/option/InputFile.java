package io.kairos.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
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

  /**
   * Reads a text of a bounded length, which is refused when it is not UTF-8.
   *
   * @param most maximum length in bytes; a longer file is refused without being read whole
   */
  public static String text(String file, int most) throws IOException {
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new IllegalArgumentException(
            "'%s' has more than %,d bytes: split it".formatted(file, most));
      }
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("'" + file + "' is not UTF-8: convert it first", e);
    }
  }
}
