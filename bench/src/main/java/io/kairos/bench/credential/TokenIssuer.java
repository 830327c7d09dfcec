package io.kairos.bench.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An issuer of JSON Web Tokens (RFC 7519) that signs by ES256 and serves its keys (RFC 7517) at a
 * path for each node, so that it sees who has fetched them. Without a library, because the nodes'
 * own is under test. Thread-safe.
 */
final class TokenIssuer implements AutoCloseable {
  static final String ISSUER = "https://login.bench.invalid";
  static final String AUDIENCE = "kairos";
  static final String ROLE = "bench";

  private static final Duration VALID = Duration.ofMinutes(2);
  private static final Duration RENEWED_BEFORE = Duration.ofMinutes(1);
  private static final int COORDINATE_BYTES = 32;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final HttpServer server;
  private final AtomicInteger made = new AtomicInteger();
  private volatile Served served;

  @GuardedBy("this")
  private SigningKey signing;

  @GuardedBy("this")
  private String token = "";

  @GuardedBy("this")
  private Instant tokenEnds = Instant.EPOCH;

  /** System.nanoTime of the latest fetch of each path. */
  @GuardedBy("this")
  private final Map<String, Long> fetched = new HashMap<>();

  /** A key pair under its id. */
  record SigningKey(String id, KeyPair pair) {
    private String jwk() {
      ECPublicKey point = (ECPublicKey) pair.getPublic();
      return "{\"kty\":\"EC\",\"crv\":\"P-256\",\"use\":\"sig\",\"kid\":\"%s\",\"x\":\"%s\",\"y\":\"%s\"}"
          .formatted(
              id, coordinate(point.getW().getAffineX()), coordinate(point.getW().getAffineY()));
    }

    private static String coordinate(BigInteger value) {
      byte[] bytes = value.toByteArray(); // may have a byte for the sign, or too few
      byte[] whole = new byte[COORDINATE_BYTES];
      int length = Math.min(bytes.length, COORDINATE_BYTES);
      System.arraycopy(bytes, bytes.length - length, whole, COORDINATE_BYTES - length, length);
      return BASE64.encodeToString(whole);
    }
  }

  private record Served(int status, String text) {}

  TokenIssuer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serve the issuer's keys", e);
    }
    signing = newKey();
    served = served(signing);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
  }

  private void serve(HttpExchange exchange) throws IOException {
    Served now = served;
    byte[] body = now.text.getBytes(UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(now.status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
    synchronized (this) {
      fetched.put(exchange.getRequestURI().toString(), System.nanoTime());
    }
  }

  /** Where a node of this number fetches the keys. */
  String url(int node) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys/" + node;
  }

  /** Nodes that have fetched the keys since a System.nanoTime. */
  synchronized long fetchersSince(long nanos) {
    return fetched.values().stream().filter(at -> at - nanos > 0).count();
  }

  /** A key that nobody knows yet. */
  SigningKey newKey() {
    return newKey("key-" + made.incrementAndGet());
  }

  private static SigningKey newKey(String id) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return new SigningKey(id, generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has elliptic curves", e);
    }
  }

  /** Serves these keys and no others. */
  void publish(SigningKey... keys) {
    served = served(keys);
  }

  private static Served served(SigningKey... keys) {
    return new Served(
        200,
        Stream.of(keys).map(SigningKey::jwk).collect(Collectors.joining(",", "{\"keys\":[", "]}")));
  }

  /** Serves something that is no set of keys. */
  void spoil(int status, String text) {
    served = new Served(status, text);
  }

  /** Text of the keys that are served. */
  String published() {
    return served.text;
  }

  synchronized SigningKey signing() {
    return signing;
  }

  /** Tokens are signed by this key from now on. */
  synchronized void sign(SigningKey by) {
    signing = by;
    tokenEnds = Instant.EPOCH;
  }

  /** The token of the callers, renewed well before it expires. */
  synchronized String token() {
    if (Instant.now().plus(RENEWED_BEFORE).isAfter(tokenEnds)) {
      token = token(signing);
      tokenEnds = Instant.now().plus(VALID);
    }
    return token;
  }

  static String token(SigningKey by) {
    return signed(by, by.id, claims(ISSUER, AUDIENCE, Instant.now().plus(VALID)));
  }

  /** Tokens of which none may be let in, by the reason. */
  Map<String, String> forged() {
    SigningKey own = signing();
    SigningKey foreign = newKey(own.id);
    Instant end = Instant.now().plus(VALID);
    String right = claims(ISSUER, AUDIENCE, end);
    return Map.of(
        "signed by another key", signed(foreign, own.id, right),
        "expired", signed(own, own.id, claims(ISSUER, AUDIENCE, Instant.now().minusSeconds(120))),
        "for another audience", signed(own, own.id, claims(ISSUER, "others", end)),
        "of another issuer", signed(own, own.id, claims(ISSUER + "/x", AUDIENCE, end)),
        "changed", changed(signed(own, own.id, right)),
        "unsigned", encoded("{\"alg\":\"none\"}") + "." + encoded(right) + ".",
        "by a shared secret", byPublicKey(own, right));
  }

  /** Names a key that the issuer does not have. */
  String ofUnknownKey() {
    return token(newKey("nobodys-" + made.incrementAndGet()));
  }

  private static String claims(String issuer, String audience, Instant end) {
    return "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"ann\",\"roles\":[\"%s\"],\"exp\":%d}"
        .formatted(issuer, audience, ROLE, end.getEpochSecond());
  }

  private static String encoded(String text) {
    return BASE64.encodeToString(text.getBytes(UTF_8));
  }

  private static String head(String algorithm, String keyId, String claims) {
    return encoded("{\"alg\":\"%s\",\"kid\":\"%s\"}".formatted(algorithm, keyId))
        + "."
        + encoded(claims);
  }

  private static String signed(SigningKey by, String keyId, String claims) {
    String signedText = head("ES256", keyId, claims);
    return signedText + "." + BASE64.encodeToString(signature(by.pair.getPrivate(), signedText));
  }

  private static byte[] signature(PrivateKey by, String text) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(by);
      signature.update(text.getBytes(UTF_8));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has ECDSA", e);
    }
  }

  /** The right signature of other claims. */
  private static String changed(String token) {
    List<String> parts = Arrays.asList(token.split("\\.", -1));
    String claims = claims(ISSUER, AUDIENCE, Instant.now().plus(Duration.ofDays(1)));
    return parts.get(0) + "." + encoded(claims) + "." + parts.get(2);
  }

  /** What a verifier takes for right that lets the token choose the algorithm. */
  private static String byPublicKey(SigningKey key, String claims) {
    String signedText = head("HS256", key.id, claims);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.pair.getPublic().getEncoded(), "HmacSHA256"));
      return signedText + "." + BASE64.encodeToString(mac.doFinal(signedText.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HMAC", e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
