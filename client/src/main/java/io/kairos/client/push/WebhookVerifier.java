package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import io.kairos.client.time.SystemTime;
import io.kairos.client.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a request is by a node that knows one of the secrets, and not older than five
 * minutes: Standard Webhooks. Give it both secrets while a pool's key is rotated. Thread-safe.
 */
public final class WebhookVerifier {
  /** How old a request may be, and how far ahead of this machine's clock. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final int LONGEST_ID = 256;

  private final List<SigningSecret> secrets;
  private final Time time;

  private WebhookVerifier(List<SigningSecret> secrets, Time time) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException("without a secret nothing can be verified");
    }
    this.secrets = List.copyOf(secrets);
    this.time = time;
  }

  /**
   * One that knows these secrets.
   *
   * @param secrets {@code whsec_…}, as the pool shows them
   */
  public static WebhookVerifier of(String... secrets) {
    return of(new SystemTime(), secrets);
  }

  static WebhookVerifier of(Time time, String... secrets) {
    return new WebhookVerifier(Stream.of(secrets).map(SigningSecret::of).toList(), time);
  }

  /**
   * What a verified request says.
   *
   * @param header gives the value of the header of a name, in any case of letters; null for none
   * @param body its exact bytes
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

  /** Small enough for a difference. */
  private static long seconds(String text) throws NotVerifiedException {
    if (!text.matches("[0-9]{1,12}")) {
      throw new NotVerifiedException(PushHeaders.TIMESTAMP + " is no number of seconds");
    }
    return Long.parseLong(text);
  }
}
