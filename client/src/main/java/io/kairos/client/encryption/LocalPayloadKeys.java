package io.kairos.client.encryption;

import static java.util.Objects.requireNonNull;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keys in memory. They wrap by AES key wrap (RFC 3394), which checks integrity and needs no nonce,
 * so that a key may wrap any number of data keys.
 */
final class LocalPayloadKeys implements PayloadKeys {
  private static final String WRAP = "AESWrap";
  private static final String AES = "AES";
  private static final int KEY_BYTES = 32;

  private final String currentId;
  private final Map<String, SecretKey> keys;

  private LocalPayloadKeys(String currentId, Map<String, SecretKey> keys) {
    this.currentId = currentId;
    this.keys = Map.copyOf(keys);
  }

  static LocalPayloadKeys parse(String text) {
    Map<String, SecretKey> keys = new LinkedHashMap<>();
    List<String> lines = text.lines().map(String::strip).toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int colon = line.lastIndexOf(':'); // base64 has none, an id may
      String id = colon < 0 ? "" : line.substring(0, colon);
      require(PayloadEnvelope.isKeyId(id), i, "must begin with an id and a colon");
      SecretKey before = keys.put(id, key(i, line.substring(colon + 1)));
      require(before == null, i, "has an id that a line before it has");
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("the payload keys have no line with a key");
    }
    return new LocalPayloadKeys(keys.keySet().iterator().next(), keys);
  }

  private static SecretKey key(int line, String base64) {
    byte[] key;
    try {
      key = Base64.getDecoder().decode(base64.strip());
    } catch (IllegalArgumentException e) {
      key = new byte[0]; // the message of the exception would show a character of the key
    }
    require(key.length == KEY_BYTES, line, "must end with 32 bytes in base64");
    return new SecretKeySpec(key, AES);
  }

  private static void require(boolean holds, int line, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          "line %d of the payload keys %s".formatted(line + 1, rule));
    }
  }

  @Override
  public String currentId() {
    return currentId;
  }

  @Override
  public byte[] wrap(String id, byte[] dataKey) {
    try {
      Cipher cipher = Cipher.getInstance(WRAP);
      cipher.init(Cipher.WRAP_MODE, key(id));
      return cipher.wrap(new SecretKeySpec(dataKey, AES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot wrap keys", e);
    }
  }

  @Override
  public byte[] unwrap(String id, byte[] wrapped) throws InvalidKeyException {
    SecretKey key = key(id);
    try {
      Cipher cipher = Cipher.getInstance(WRAP);
      cipher.init(Cipher.UNWRAP_MODE, key);
      return requireNonNull(cipher.unwrap(wrapped, AES, Cipher.SECRET_KEY).getEncoded());
    } catch (InvalidKeyException e) {
      throw e;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot unwrap keys", e);
    }
  }

  private SecretKey key(String id) {
    SecretKey key = keys.get(id);
    if (key == null) {
      throw PayloadKeys.unknown(id);
    }
    return key;
  }
}
