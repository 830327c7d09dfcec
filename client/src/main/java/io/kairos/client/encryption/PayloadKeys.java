package io.kairos.client.encryption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;

/**
 * Key-encryption keys by id. They encrypt data keys, and data keys encrypt payloads. One key is
 * current and encrypts; all decrypt. Implement it to let a key management service wrap data keys.
 * Called on threads that schedule, perform and read tasks; must be thread-safe, and may block: a
 * data key is wrapped for at most 65,536 payloads, and 256 unwrapped ones are remembered.
 */
public interface PayloadKeys {
  /** Maximum number of bytes of a wrapped data key. */
  int MOST_WRAPPED_BYTES = 1_024;

  /**
   * Id of the key that wraps new data keys: 1 to 64 of letters, digits and {@code . _ : / -}. It is
   * stored with payloads in plain text.
   */
  String currentId();

  /**
   * Wraps a data key of 32 bytes with the key of this id.
   *
   * @param dataKey cleared after the call; whoever keeps it must copy it
   */
  byte[] wrap(String id, byte[] dataKey);

  /**
   * Unwraps a data key.
   *
   * @return an array that nobody else uses, because the caller clears it
   * @throws InvalidKeyException when the key of this id has not wrapped it
   * @throws PayloadDecryptionException when there is no key of this id, by {@link #unknown}
   */
  byte[] unwrap(String id, byte[] wrapped) throws InvalidKeyException;

  /** Returns the exception for an id without a key. */
  static PayloadDecryptionException unknown(String id) {
    return new PayloadDecryptionException(
        PayloadDecryptionException.Reason.UNKNOWN_KEY,
        "it is encrypted with the key " + id + ", which this process does not have");
  }

  /**
   * Returns keys from text with a key in each line, {@code id:base64} of 32 random bytes. The first
   * key encrypts, all decrypt. Empty lines and those that begin with {@code #} are skipped.
   *
   * @throws IllegalArgumentException for an invalid line; the message has its number, not its text
   */
  static PayloadKeys parse(String text) {
    return LocalPayloadKeys.parse(text);
  }

  /** Returns the keys of a file as {@link #parse} reads them. The file is read once, now. */
  static PayloadKeys ofFile(Path file) throws IOException {
    return parse(Files.readString(file));
  }
}
