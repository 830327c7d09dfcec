package io.kairos.client.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.client.encryption.PayloadDecryptionException.Reason;
import io.kairos.client.error.InvalidRequestException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts payloads, results and error texts with AES-256-GCM before they leave the application,
 * and decrypts them where they are read. Give the same keys to the client and to the workers:
 *
 * <pre>{@code
 * EncryptedPayloads payloads = EncryptedPayloads.with(PayloadKeys.ofFile(Path.of("keys")));
 * KairosClient client = KairosClient.builder("node1:7070").encryption(payloads).build();
 * Worker worker = Worker.builder("node1:7070").encryption(payloads).build();
 * }</pre>
 *
 * <p>The methods here are for payloads that take other ways, such as records that a producer writes
 * or a consumer of a topic reads. A payload is bound to its target, and a text to its task as well.
 * Names of handlers, ordering and fairness keys, collections, headers, classes of errors and notes
 * of operators stay plain. An encrypted payload is longer by about 100 bytes. Thread-safe.
 */
public final class EncryptedPayloads {
  /** Nodes keep the first 2,000 characters of a text, and may begin it with an HTTP status. */
  private static final int MOST_TEXT = 1_980;

  private static final int MOST_STACK = 8_000;
  private static final int MOST_NOTE = 1_000;

  private static final String TEXT_PREFIX = "kairos-encrypted:";
  private static final Pattern TEXT = Pattern.compile(TEXT_PREFIX + "([A-Za-z0-9+/]+)");
  private static final String PAYLOAD = "payload";
  private static final String RESULT = "result";
  private static final String ERROR = "error";
  private static final String PROGRESS = "progress";

  private final DataKeys keys;
  private final boolean acceptsPlaintext;

  private EncryptedPayloads(DataKeys keys, boolean acceptsPlaintext) {
    this.keys = keys;
    this.acceptsPlaintext = acceptsPlaintext;
  }

  /** Returns encryption that refuses payloads and results in plain text. */
  public static EncryptedPayloads with(PayloadKeys keys) {
    return new EncryptedPayloads(new DataKeys(keys), false);
  }

  /**
   * Returns encryption that also reads plain text, for the time in which old payloads and callers
   * without keys are left. Meanwhile whoever writes to the database can put plain text in.
   */
  public EncryptedPayloads acceptingPlaintext() {
    return new EncryptedPayloads(keys, true);
  }

  public byte[] encrypt(PayloadTarget target, byte[] payload) {
    return encrypt(keys.next(), payload, PAYLOAD, target.name(), "");
  }

  /**
   * Decrypts a payload.
   *
   * @throws PayloadDecryptionException when it cannot be decrypted as a payload for this target, or
   *     when it is plain text that is not accepted
   */
  public byte[] decrypt(PayloadTarget target, byte[] stored) {
    return decrypt(stored, PAYLOAD, target.name(), "");
  }

  /** True when the stored payload is this one, encrypted with the key that is current. */
  boolean isCurrent(PayloadTarget target, byte[] stored, byte[] plain) {
    try {
      return PayloadEnvelope.of(stored).filter(keys::isCurrent).isPresent()
          && MessageDigest.isEqual(decrypt(target, stored), plain);
    } catch (PayloadDecryptionException e) {
      return false;
    }
  }

  /**
   * Encrypts the result of a task, for what ends it outside of a worker.
   *
   * @param task id of the task
   * @throws InvalidRequestException when it is longer than what fits into the 2,000 characters that
   *     nodes keep: about 1,350 bytes of UTF-8 with keys of a file
   */
  public String encryptResult(PayloadTarget target, String task, String result) {
    byte[] bytes = result.getBytes(UTF_8);
    DataKeys.Wrapped key = keys.next();
    int most = mostTextBytes(key, MOST_TEXT);
    if (bytes.length > most) {
      throw new InvalidRequestException(
          "result",
          "must have at most %,d bytes to fit encrypted into 2,000 characters; it has %,d"
              .formatted(most, bytes.length));
    }
    return text(key, bytes, RESULT, target, task);
  }

  /** Decrypts the result of a task; an empty result stays empty. */
  public String decryptResult(PayloadTarget target, String task, String stored) {
    if (stored.isEmpty()) {
      return stored;
    }
    Matcher matcher = TEXT.matcher(stored);
    if (matcher.matches()) {
      return decryptText(requireNonNull(matcher.group(1)), RESULT, target, task);
    }
    requirePlaintextAccepted();
    return stored;
  }

  /**
   * Encrypts the value of a task's result, which grows by about 100 bytes.
   *
   * @param task id of the task
   */
  public byte[] encryptResult(PayloadTarget target, String task, byte[] value) {
    return encrypt(keys.next(), value, RESULT, target.name(), task);
  }

  /** Decrypts the value of a task's result, also one that was encrypted as a text. */
  public byte[] decryptResult(PayloadTarget target, String task, byte[] stored) {
    if (stored.length == 0) {
      return stored;
    }
    return startsWithTextPrefix(stored)
        ? decryptResult(target, task, new String(stored, UTF_8)).getBytes(UTF_8)
        : decrypt(stored, RESULT, target.name(), task);
  }

  private static boolean startsWithTextPrefix(byte[] stored) {
    byte[] prefix = TEXT_PREFIX.getBytes(UTF_8);
    return stored.length > prefix.length
        && Arrays.equals(stored, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Encrypts the error text of an attempt, which is cut to what fits into 2,000 characters. */
  public String encryptError(PayloadTarget target, String task, String error) {
    return encryptCut(target, task, error, ERROR, MOST_TEXT);
  }

  /** Encrypts the stack of an error, which is cut to what fits into 8,000 characters. */
  String encryptStack(PayloadTarget target, String task, String stack) {
    return encryptCut(target, task, stack, ERROR, MOST_STACK);
  }

  /** Encrypts the note of a progress, which is cut to what fits into 1,000 characters. */
  String encryptNote(PayloadTarget target, String task, String note) {
    return encryptCut(target, task, note, PROGRESS, MOST_NOTE);
  }

  /** Decrypts the note of a progress, or leaves what is none or cannot be decrypted. */
  String decryptNote(PayloadTarget target, String task, String stored) {
    return decryptTexts(target, task, stored, PROGRESS);
  }

  private String encryptCut(
      PayloadTarget target, String task, String text, String purpose, int mostCharacters) {
    byte[] bytes = text.getBytes(UTF_8);
    DataKeys.Wrapped key = keys.next();
    int length = Math.min(bytes.length, mostTextBytes(key, mostCharacters));
    while (length < bytes.length && length > 0 && isContinuation(bytes[length])) {
      length--;
    }
    return text(key, Arrays.copyOf(bytes, length), purpose, target, task);
  }

  private static boolean isContinuation(byte utf8) {
    return (utf8 & 0xC0) == 0x80;
  }

  /**
   * Decrypts an error text. Nodes write errors of their own, so plain text is left as it is, and so
   * is what cannot be decrypted.
   */
  public String decryptError(PayloadTarget target, String task, String stored) {
    return decryptTexts(target, task, stored, ERROR);
  }

  private String decryptTexts(PayloadTarget target, String task, String stored, String purpose) {
    return TEXT.matcher(stored)
        .replaceAll(found -> {
          try {
            return Matcher.quoteReplacement(
                decryptText(requireNonNull(found.group(1)), purpose, target, task));
          } catch (PayloadDecryptionException e) {
            return Matcher.quoteReplacement(found.group());
          }
        });
  }

  /** Returns how many bytes of UTF-8 fit, encrypted by this key, into the text that nodes keep. */
  private static int mostTextBytes(DataKeys.Wrapped key, int mostCharacters) {
    int most = (mostCharacters - TEXT_PREFIX.length()) / 4 * 3;
    return most
        - PayloadEnvelope.lengthFor(key.keyId(), key.bytes().length)
        - PayloadEnvelope.TAG_BYTES;
  }

  private String text(
      DataKeys.Wrapped key, byte[] bytes, String purpose, PayloadTarget target, String task) {
    byte[] encrypted = encrypt(key, bytes, purpose, target.name(), task);
    return TEXT_PREFIX + Base64.getEncoder().withoutPadding().encodeToString(encrypted);
  }

  private String decryptText(String base64, String purpose, PayloadTarget target, String task) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw PayloadDecryptionException.damaged();
    }
    if (!PayloadEnvelope.isEncrypted(bytes)) {
      throw PayloadDecryptionException.damaged();
    }
    return new String(decrypt(bytes, purpose, target.name(), task), UTF_8);
  }

  private byte[] encrypt(DataKeys.Wrapped key, byte[] plain, String... bound) {
    PayloadEnvelope envelope =
        new PayloadEnvelope(
            key.keyId(),
            key.bytes(),
            keys.random(PayloadEnvelope.NAME_BYTES),
            keys.random(PayloadEnvelope.NONCE_BYTES));
    byte[] header = envelope.header();
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key.key(), envelope, header, bound);
      byte[] stored = new byte[header.length + cipher.getOutputSize(plain.length)];
      System.arraycopy(header, 0, stored, 0, header.length);
      cipher.doFinal(plain, 0, plain.length, stored, header.length);
      return stored;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot encrypt with AES-GCM", e);
    }
  }

  private byte[] decrypt(byte[] stored, String... bound) {
    PayloadEnvelope envelope = PayloadEnvelope.of(stored).orElse(null);
    if (envelope == null) {
      requirePlaintextAccepted();
      return stored;
    }
    SecretKey key = keys.unwrap(envelope);
    int length = envelope.length();
    try {
      return cipher(Cipher.DECRYPT_MODE, key, envelope, envelope.header(), bound)
          .doFinal(stored, length, stored.length - length);
    } catch (AEADBadTagException e) {
      throw PayloadDecryptionException.tampered(envelope.keyId(), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot decrypt with AES-GCM", e);
    }
  }

  private void requirePlaintextAccepted() {
    if (!acceptsPlaintext) {
      throw new PayloadDecryptionException(
          Reason.NOT_ENCRYPTED, "it is not encrypted, and plain text is not accepted here");
    }
  }

  /** Binds the header, and each text with its length before it. */
  private static Cipher cipher(
      int mode, SecretKey key, PayloadEnvelope envelope, byte[] header, String... bound)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode, key, new GCMParameterSpec(PayloadEnvelope.TAG_BYTES * Byte.SIZE, envelope.nonce()));
    cipher.updateAAD(header);
    for (String one : bound) {
      byte[] bytes = one.getBytes(UTF_8);
      cipher.updateAAD(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      cipher.updateAAD(bytes);
    }
    return cipher;
  }
}
