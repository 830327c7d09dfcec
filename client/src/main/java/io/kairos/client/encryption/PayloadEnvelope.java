package io.kairos.client.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.kairos.client.encryption.PayloadDecryptionException.Reason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The header of encrypted bytes, which anybody can read and nobody can change: the magic {@code FF
 * 4B 50}, the version, the length and the letters of the key's id, the length (two bytes) and the
 * bytes of the wrapped data key, 16 random bytes that name the payload, and the 12 bytes of the
 * nonce. The ciphertext of AES-256-GCM with its tag follows. No text in UTF-8 has the magic's first
 * byte. Immutable, except that bytes are not copied.
 */
public final class PayloadEnvelope {
  static final int NAME_BYTES = 16;
  static final int NONCE_BYTES = 12;
  static final int TAG_BYTES = 16;
  private static final byte[] MAGIC = {(byte) 0xFF, 'K', 'P'};
  private static final int VERSION = 1;
  private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9._:/-]{1,64}");

  private final String keyId;
  private final byte[] wrapped;
  private final byte[] name;
  private final byte[] nonce;

  /**
   * @param name names the payload
   */
  PayloadEnvelope(String keyId, byte[] wrapped, byte[] name, byte[] nonce) {
    this.keyId = keyId;
    this.wrapped = wrapped;
    this.name = name;
    this.nonce = nonce;
  }

  static boolean isKeyId(String text) {
    return KEY_ID.matcher(text).matches();
  }

  /**
   * Returns the header of a stored payload; empty when the payload is not encrypted.
   *
   * @throws PayloadDecryptionException when the header was changed or is of a later version
   */
  public static Optional<PayloadEnvelope> of(byte[] stored) {
    return isEncrypted(stored) ? Optional.of(parse(stored)) : Optional.empty();
  }

  static boolean isEncrypted(byte[] stored) {
    return stored.length >= MAGIC.length
        && Arrays.equals(stored, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  private static PayloadEnvelope parse(byte[] stored) {
    ByteBuffer from = ByteBuffer.wrap(stored).position(MAGIC.length);
    try {
      int version = from.get();
      if (version != VERSION) {
        throw new PayloadDecryptionException(
            Reason.UNKNOWN_VERSION,
            "it is encrypted in the format "
                + version
                + ", which this client does not know, or its header was changed");
      }
      String keyId = new String(bytes(from, Byte.toUnsignedInt(from.get())), US_ASCII);
      byte[] wrapped = bytes(from, Short.toUnsignedInt(from.getShort()));
      PayloadEnvelope envelope =
          new PayloadEnvelope(keyId, wrapped, bytes(from, NAME_BYTES), bytes(from, NONCE_BYTES));
      if (isKeyId(keyId)
          && wrapped.length <= PayloadKeys.MOST_WRAPPED_BYTES
          && from.remaining() >= TAG_BYTES) {
        return envelope;
      }
    } catch (BufferUnderflowException e) {
      // it is too short, as below
    }
    throw PayloadDecryptionException.damaged();
  }

  private static byte[] bytes(ByteBuffer from, int length) {
    if (length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  /** Id of the key that has wrapped the data key. */
  public String keyId() {
    return keyId;
  }

  /**
   * Random name of the payload, 32 hexadecimal digits. Two tasks with one name have the same
   * payload: they are runs of one schedule, or the payload was copied in the database.
   */
  public String payloadName() {
    return HexFormat.of().formatHex(name);
  }

  byte[] wrapped() {
    return wrapped;
  }

  byte[] nonce() {
    return nonce;
  }

  /** Number of bytes of the header. */
  int length() {
    return lengthFor(keyId, wrapped.length);
  }

  static int lengthFor(String keyId, int wrappedBytes) {
    return MAGIC.length + 2 + keyId.length() + 2 + wrappedBytes + NAME_BYTES + NONCE_BYTES;
  }

  byte[] header() {
    return ByteBuffer.allocate(length())
        .put(MAGIC)
        .put((byte) VERSION)
        .put((byte) keyId.length())
        .put(keyId.getBytes(US_ASCII))
        .putShort((short) wrapped.length)
        .put(wrapped)
        .put(name)
        .put(nonce)
        .array();
  }
}
