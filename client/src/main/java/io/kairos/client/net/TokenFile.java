package io.kairos.client.net;

import io.kairos.api.file.FileWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token in a file, read again every few seconds by whoever asks for it. A pipe is read once: it
 * has nothing more, and who opens it again may wait for ever. Thread-safe.
 */
final class TokenFile implements Supplier<String> {
  private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
  private static final long READ_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Path file;
  private final LongSupplier nanos;
  private final boolean isPipe;
  private String token;
  private long readAtNanos;
  private boolean warned;

  TokenFile(Path file, LongSupplier nanos) {
    this.file = file;
    this.nanos = nanos;
    this.isPipe = FileWatch.isReadOnce(file);
    try {
      token = read();
      readAtNanos = nanos.getAsLong();
    } catch (IOException e) {
      throw new UncheckedIOException("the token file " + file + " cannot be read", e);
    }
  }

  @Override
  public synchronized String get() {
    long now = nanos.getAsLong();
    if (!isPipe && now - readAtNanos >= READ_EVERY_NANOS) {
      readAtNanos = now;
      readAgain();
    }
    return token;
  }

  private void readAgain() {
    try {
      String present = read();
      token = present.isEmpty() ? token : present;
      warned = false;
    } catch (IOException e) {
      if (!warned) {
        LOG.warn(
            "the token file cannot be read, and the last token stays in use: {}", e.toString());
      }
      warned = true;
    }
  }

  private String read() throws IOException {
    return Files.readString(file).strip();
  }
}
