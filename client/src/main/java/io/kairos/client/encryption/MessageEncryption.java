package io.kairos.client.encryption;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts what the messages of the client and the worker have in them; without
 * encryption everything stays as it is. For the client itself. Thread-safe.
 */
public final class MessageEncryption {
  /** Leaves everything as it is. */
  public static final MessageEncryption NONE = new MessageEncryption(null);

  private final @Nullable EncryptedPayloads payloads;

  private MessageEncryption(@Nullable EncryptedPayloads payloads) {
    this.payloads = payloads;
  }

  public static MessageEncryption of(EncryptedPayloads payloads) {
    return new MessageEncryption(payloads);
  }

  public boolean isOn() {
    return payloads != null;
  }

  /** Encrypts a payload, also an empty one. */
  public byte[] encrypted(PayloadTarget target, byte[] payload) {
    return payloads == null ? payload : payloads.encrypt(target, payload);
  }

  /**
   * Decrypts a payload, where an empty one must be encrypted as well.
   *
   * @throws PayloadDecryptionException when it cannot be decrypted
   */
  public byte[] decrypted(PayloadTarget target, byte[] payload) {
    return payloads == null ? payload : payloads.decrypt(target, payload);
  }

  /** True when the stored payload is this one, encrypted with the key that is current. */
  public boolean isCurrent(PayloadTarget target, byte[] stored, byte[] plain) {
    return requireNonNull(payloads, "no encryption").isCurrent(target, stored, plain);
  }

  /** Encrypts the value of a task's result. Throws what the keys throw when it cannot. */
  public byte[] encryptedResult(PayloadTarget target, String task, byte[] value) {
    return payloads == null ? value : payloads.encryptResult(target, task, value);
  }

  /**
   * Decrypts the value of a task's result.
   *
   * @throws PayloadDecryptionException when it cannot be decrypted
   */
  public byte[] decryptedResult(PayloadTarget target, String task, byte[] value) {
    return payloads == null ? value : payloads.decryptResult(target, task, value);
  }

  /** Decrypts the result of a task of a node of an earlier version, which is a text. */
  public String decryptedResult(PayloadTarget target, String task, String stored) {
    return payloads == null ? stored : payloads.decryptResult(target, task, stored);
  }

  /** Encrypts the error text of an attempt, or withholds it. */
  public String encryptedError(PayloadTarget target, String task, String error) {
    EncryptedPayloads with = payloads;
    return with == null ? error : text(() -> with.encryptError(target, task, error));
  }

  /** Encrypts the stack of an attempt's error, or withholds it; an empty one stays empty. */
  public String encryptedStack(PayloadTarget target, String task, String stack) {
    EncryptedPayloads with = payloads;
    return with == null || stack.isEmpty()
        ? stack
        : text(() -> with.encryptStack(target, task, stack));
  }

  /** Decrypts an error text or a stack, or leaves what cannot be decrypted. */
  public String decryptedError(PayloadTarget target, String task, String stored) {
    return payloads == null ? stored : payloads.decryptError(target, task, stored);
  }

  /** Encrypts the note of a progress of an attempt at a task; an empty one stays empty. */
  public String encryptedNote(PayloadTarget target, String task, String note) {
    EncryptedPayloads with = payloads;
    return with == null || note.isEmpty() ? note : text(() -> with.encryptNote(target, task, note));
  }

  /** Decrypts the note of a progress, or leaves what cannot be decrypted. */
  public String decryptedNote(PayloadTarget target, String task, String stored) {
    return payloads == null ? stored : payloads.decryptNote(target, task, stored);
  }

  /** The attempt has ended: its result must go out, with or without its text. */
  private static String text(Supplier<String> encryption) {
    try {
      return encryption.get();
    } catch (RuntimeException e) { // of the keys, which may belong to the application
      return "the text is withheld, because it could not be encrypted: " + e.getClass().getName();
    }
  }
}
