package io.kairos.client.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.client.time.SystemTime;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Data keys: the one that encrypts now, and those that were unwrapped last. A data key encrypts at
 * most 65,536 payloads, so two of its random nonces are equal with a probability of 2⁻⁶⁵; GCM
 * allows 2³² payloads. Thread-safe; keys are wrapped and unwrapped outside of the lock.
 */
final class DataKeys {
  static final int MOST_PAYLOADS = 1 << 16;
  private static final int REMEMBERED = 256;
  private static final int KEY_BYTES = 32;

  private final PayloadKeys keys;
  private final SecureRandom secrets = SystemTime.secrets();

  @GuardedBy("this")
  private @Nullable Wrapped current;

  @GuardedBy("this")
  private int used;

  @GuardedBy("this")
  private final Map<ByteBuffer, SecretKey> unwrapped =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, SecretKey> eldest) {
          return size() > REMEMBERED;
        }
      };

  DataKeys(PayloadKeys keys) {
    this.keys = keys;
  }

  /** A data key, plain and wrapped by the key of this id. */
  @SuppressWarnings("ArrayRecordComponent") // stays in this package, and nobody changes it
  record Wrapped(String keyId, SecretKey key, byte[] bytes) {}

  /** Returns a data key for one payload. */
  Wrapped next() {
    String keyId = keys.currentId();
    Wrapped known = fresh(keyId);
    if (known != null) {
      return known;
    }
    Wrapped made = make(keyId);
    synchronized (this) {
      Wrapped other = fresh(keyId); // of a thread that was faster
      if (other != null) {
        return other;
      }
      current = made;
      used = 1;
    }
    return made;
  }

  /** Returns the current data key if it may encrypt one payload more, which it then counts. */
  private synchronized @Nullable Wrapped fresh(String keyId) {
    if (current == null || !current.keyId.equals(keyId) || used == MOST_PAYLOADS) {
      return null;
    }
    used++;
    return current;
  }

  boolean isCurrent(PayloadEnvelope envelope) {
    return envelope.keyId().equals(keys.currentId());
  }

  private Wrapped make(String keyId) {
    byte[] key = random(KEY_BYTES);
    byte[] wrapped = keys.wrap(keyId, key);
    if (!PayloadEnvelope.isKeyId(keyId) || wrapped.length > PayloadKeys.MOST_WRAPPED_BYTES) {
      throw new IllegalStateException(
          "the payload keys must have ids of 1 to 64 characters, and wrap keys in at most 1,024"
              + " bytes");
    }
    return new Wrapped(keyId, secret(key), wrapped);
  }

  byte[] random(int length) {
    byte[] bytes = new byte[length];
    secrets.nextBytes(bytes);
    return bytes;
  }

  SecretKey unwrap(PayloadEnvelope envelope) {
    ByteBuffer header = ByteBuffer.wrap(wrapping(envelope));
    synchronized (this) {
      SecretKey known = unwrapped.get(header);
      if (known != null) {
        return known;
      }
    }
    SecretKey key;
    try {
      key = secret(keys.unwrap(envelope.keyId(), envelope.wrapped()));
    } catch (InvalidKeyException e) {
      throw PayloadDecryptionException.tampered(envelope.keyId(), e);
    }
    synchronized (this) {
      unwrapped.put(header, key);
    }
    return key;
  }

  /** Returns the key's id and the wrapped key, by which unwrapped keys are remembered. */
  private static byte[] wrapping(PayloadEnvelope envelope) {
    byte[] id = envelope.keyId().getBytes(US_ASCII);
    return ByteBuffer.allocate(1 + id.length + envelope.wrapped().length)
        .put((byte) id.length)
        .put(id)
        .put(envelope.wrapped())
        .array();
  }

  /** Clears the bytes, of which the secret key has a copy. */
  private static SecretKey secret(byte[] key) {
    SecretKey secret = new SecretKeySpec(key, "AES");
    Arrays.fill(key, (byte) 0);
    return secret;
  }
}
