package io.kairos.client.encryption;

import java.util.Arrays;
import java.util.Base64;

/** Lines of keys whose bytes are all the same number. */
public final class TestKeys {
  private TestKeys() {}

  public static String line(String id, int number) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) number);
    return id + ":" + Base64.getEncoder().encodeToString(key) + "\n";
  }

  public static EncryptedPayloads payloads(String lines) {
    return EncryptedPayloads.with(PayloadKeys.parse(lines));
  }
}
