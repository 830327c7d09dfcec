package io.kairos.engine.pool.secret;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys by which secrets of pools are encrypted in the store, by AES-256-GCM: the first
 * encrypts, all decrypt. An encrypted secret is a version byte, a random nonce of 96 bits, and the
 * ciphertext with its tag of 128 bits; the key's id is kept beside it. Immutable and thread-safe.
 * {@link #toString} shows the ids only.
 */
public final class SecretKeys {
  /** The setting that names the file with the keys. */
  public static final String SETTING = "push.encryption-key-file";

  /** No keys: secrets are stored as they are. */
  public static final SecretKeys NONE = new SecretKeys(Map.of());

  private static final Pattern LINE = Pattern.compile("([A-Za-z0-9._-]{1,64}):(\\S+)");
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final byte VERSION = 1;

  /** In the order of the file. */
  private final Map<String, SecretKey> byId;

  private SecretKeys(Map<String, SecretKey> byId) {
    this.byId = byId;
  }

  /**
   * Reads the lines of a file: {@code id:key}, the key as 32 bytes in base64. Blank lines and lines
   * that begin with # are skipped.
   *
   * @throws IllegalArgumentException that names the line and what to do, without the key
   */
  public static SecretKeys parse(List<String> lines) {
    Map<String, SecretKey> byId = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        read(line, i + 1, byId);
      }
    }
    if (byId.isEmpty()) {
      throw refusal("the file has no key");
    }
    return new SecretKeys(byId);
  }

  private static void read(String line, int number, Map<String, SecretKey> byId) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw refusal("line %d is not id:key".formatted(number));
    }
    byte[] key;
    try {
      key = Base64.getDecoder().decode(requireNonNull(parts.group(2)));
    } catch (IllegalArgumentException _) {
      throw refusal("the key of line %d is not base64".formatted(number));
    }
    if (key.length != KEY_BYTES) {
      throw refusal("the key of line %d has %d bytes, not 32".formatted(number, key.length));
    }
    if (byId.put(requireNonNull(parts.group(1)), new SecretKeySpec(key, "AES")) != null) {
      throw refusal("line %d has the id of an earlier line".formatted(number));
    }
  }

  private static IllegalArgumentException refusal(String what) {
    return new IllegalArgumentException(
        what
            + "; each line is an id of letters, digits and . _ -, a colon, and 32 random bytes in base64, as \"echo k1:$(openssl rand -base64 32)\" makes them");
  }

  /** The id of the key that encrypts; empty without keys. */
  public Optional<String> first() {
    return byId.keySet().stream().findFirst();
  }

  /**
   * Encrypts a secret with the first key.
   *
   * @param associatedData names where the secret is stored; it can be decrypted with the same only
   * @throws IllegalStateException without keys
   */
  public byte[] encrypt(byte[] secret, byte[] associatedData) {
    String id = first().orElseThrow(() -> new IllegalStateException("there is no key"));
    try {
      Cipher cipher = cipher();
      cipher.init(Cipher.ENCRYPT_MODE, byId.get(id)); // and draws a nonce
      cipher.updateAAD(new byte[] {VERSION});
      cipher.updateAAD(associatedData);
      byte[] nonce = requireNonNull(cipher.getIV());
      byte[] encrypted = cipher.doFinal(secret);
      return ByteBuffer.allocate(1 + nonce.length + encrypted.length)
          .put(VERSION)
          .put(nonce)
          .put(encrypted)
          .array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has AES-GCM", e);
    }
  }

  /**
   * Decrypts a secret.
   *
   * @param id of the key that has encrypted it
   * @param associatedData names where it is stored
   * @throws IllegalArgumentException when this is no secret of this key and data, or the key is
   *     missing; the message names key and setting
   */
  public byte[] decrypt(String id, byte[] stored, byte[] associatedData) {
    SecretKey key = byId.get(id);
    if (key == null) {
      throw new IllegalArgumentException(
          "its secret is encrypted with the key %s, which %s of this node does not have: add the key to the file"
              .formatted(id, SETTING));
    }
    if (stored.length <= 1 + NONCE_BYTES || stored[0] != VERSION) {
      throw new IllegalArgumentException(
          "its secret is encrypted with the key %s in a form that this version does not know"
              .formatted(id));
    }
    try {
      Cipher cipher = cipher();
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, stored, 1, NONCE_BYTES));
      cipher.updateAAD(new byte[] {VERSION});
      cipher.updateAAD(associatedData);
      return cipher.doFinal(stored, 1 + NONCE_BYTES, stored.length - 1 - NONCE_BYTES);
    } catch (AEADBadTagException e) {
      throw new IllegalArgumentException(
          "its secret cannot be decrypted with the key %s of %s: it was encrypted with another key of this id, or for another pool, or it was changed"
              .formatted(id, SETTING),
          e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has AES-GCM", e);
    }
  }

  private static Cipher cipher() throws GeneralSecurityException {
    return Cipher.getInstance("AES/GCM/NoPadding");
  }

  /** The ids alone. */
  @Override
  public String toString() {
    return "SecretKeys" + byId.keySet();
  }
}
