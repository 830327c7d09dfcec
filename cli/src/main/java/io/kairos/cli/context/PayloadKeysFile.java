package io.kairos.cli.context;

import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with keys of payloads. */
public final class PayloadKeysFile {
  private PayloadKeysFile() {}

  /**
   * Returns encryption with the keys. Throws IllegalArgumentException when others can read or
   * change the file or a line is invalid, and UncheckedIOException when it cannot be read.
   */
  public static EncryptedPayloads read(Path file) {
    try {
      if (Files.isRegularFile(file)) { // others, such as pipes, end with their process
        FileProtection.requireSecret(file);
      }
      return EncryptedPayloads.with(PayloadKeys.ofFile(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the payload keys", e);
    }
  }
}
