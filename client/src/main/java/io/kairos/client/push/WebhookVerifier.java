package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import io.kairos.client.time.ClientTime;
import io.kairos.client.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Verifies by Standard Webhooks that a request is signed with one of the secrets, and is at most
 * five minutes old. Give it both secrets while a pool's key is rotated. Thread-safe.
 */
public final class WebhookVerifier {
  /** Maximum age of a request, and maximum lead of its timestamp over this machine's clock. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final int LONGEST_ID = 256;

  private final List<SigningSecret> secrets;
  private final ClientTime time;

  private WebhookVerifier(List<SigningSecret> secrets, ClientTime time) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException("without a secret nothing can be verified");
    }
    this.secrets = List.copyOf(secrets);
    this.time = time;
  }

  /**
   * Returns a verifier for these secrets.
   *
   * @param secrets {@code whsec_…}, as creating a pool or rotating its key returns them
   */
  public static WebhookVerifier of(String... secrets) {
    return of(new SystemTime(), secrets);
  }

  static WebhookVerifier of(ClientTime time, String... secrets) {
    return new WebhookVerifier(Stream.of(secrets).map(SigningSecret::of).toList(), time);
  }

  /**
   * Verifies a request, and returns its push.
   *
   * @param header returns the value of a header by its name, regardless of case; null for none
   * @param body the exact bytes of the body
   */
  public Push verify(Function<String, @Nullable String> header, byte[] body)
      throws NotVerifiedException {
    String id = required(header, PushHeaders.ID);
    long timestamp = seconds(required(header, PushHeaders.TIMESTAMP));
    if (id.length() > LONGEST_ID || id.indexOf('.') >= 0) {
      throw new NotVerifiedException(PushHeaders.ID + " is not one");
    }
    if (Math.abs(time.now().getEpochSecond() - timestamp) > TOLERANCE.toSeconds()) {
      throw new NotVerifiedException(
          PushHeaders.TIMESTAMP + " is more than five minutes from this machine's clock");
    }
    String signatures = required(header, PushHeaders.SIGNATURE);
    boolean signed = false;
    for (SigningSecret secret : secrets) {
      signed |= secret.hasSigned(signatures, id, timestamp, body);
    }
    if (!signed) {
      throw new NotVerifiedException(PushHeaders.SIGNATURE + " is not by a known secret");
    }
    return new Push(id, header, body);
  }

  private static String required(Function<String, @Nullable String> header, String name)
      throws NotVerifiedException {
    String value = header.apply(name);
    if (value == null) {
      throw new NotVerifiedException(name + " is missing");
    }
    return value;
  }

  /** Parses seconds since 1970, at most 12 digits, so that differences do not overflow. */
  private static long seconds(String text) throws NotVerifiedException {
    if (!text.matches("[0-9]{1,12}")) {
      throw new NotVerifiedException(PushHeaders.TIMESTAMP + " is no number of seconds");
    }
    return Long.parseLong(text);
  }
}
