package io.kairos.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The payload: at most one option. */
public final class PayloadOptions {
  @Option(names = "--payload", description = "Text, passed on as UTF-8.")
  @Nullable String text;

  @Option(names = "--payload-file", description = "File with the payload, - for standard input.")
  @Nullable String file;

  private byte[] bytes() throws IOException {
    if (file != null) {
      return InputFile.bytes(file);
    }
    return text == null ? new byte[0] : text.getBytes(UTF_8);
  }

  /** Returns the payload; empty when none was given. */
  public static byte[] bytes(@Nullable PayloadOptions given) throws IOException {
    return given == null ? new byte[0] : given.bytes();
  }
}
