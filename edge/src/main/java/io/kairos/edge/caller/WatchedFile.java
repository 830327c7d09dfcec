package io.kairos.edge.caller;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with credentials that is read again and again. What was read last and accepted stays in
 * use for as long as the file is missing or has a mistake. Confined to one thread.
 */
public final class WatchedFile {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);
  private static final int MOST_BYTES = 1 << 20;

  private final String setting;
  private final Path path;
  private final Consumer<String> accept;

  /** The text that was accepted or refused last; null before any. */
  private @Nullable String seen;

  private boolean missing;

  /**
   * A file.
   *
   * @param setting the key that names the file
   * @param accept takes the text; throws {@link IllegalArgumentException} with what is wrong
   */
  public WatchedFile(String setting, Path path, Consumer<String> accept) {
    this.setting = setting;
    this.path = path;
    this.accept = accept;
  }

  /**
   * Reads the file for the first time.
   *
   * @throws UnusableCredentialsException when it cannot be read or has a mistake
   */
  public void open() {
    try {
      String text = read();
      accept.accept(text);
      seen = text;
    } catch (IOException | IllegalArgumentException e) {
      throw new UnusableCredentialsException(
          "%s: the file %s cannot be used: %s".formatted(setting, path, reason(e)), e);
    }
  }

  /** Reads the file, and does nothing when it is as before. */
  public void look() {
    String text;
    try {
      text = read();
    } catch (IOException e) {
      if (!missing) {
        warn(e);
      }
      missing = true;
      return;
    }
    missing = false;
    if (text.equals(seen)) {
      return;
    }
    seen = text;
    try {
      accept.accept(text);
      LOG.atInfo().addKeyValue("file", path).log("read again, for {}", setting);
    } catch (IllegalArgumentException e) {
      warn(e);
    }
  }

  private void warn(Exception e) {
    LOG.atWarn()
        .addKeyValue("file", path)
        .addKeyValue("problem", reason(e))
        .log("The file of {} cannot be used: what was read before stays in use. Mend it", setting);
  }

  private String read() throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IOException("it has more than 1 MiB");
      }
      return new String(bytes, UTF_8);
    }
  }

  private static String reason(Exception e) {
    String message = String.valueOf(e.getMessage());
    return e instanceof IOException ? e.getClass().getSimpleName() + ": " + message : message;
  }
}
