package io.kairos.edge.caller;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import io.kairos.fuzzing.ParserFuzz;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.text.ParseException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The header {@code authorization} and JSON Web Tokens of whoever reaches the port, and the files
 * by which they are judged. Every header is recognised or not, and none makes a call fail.
 */
class CredentialsFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-26T11:59:00Z");
  private static final AtomicLong MONOTONIC = new AtomicLong();
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  @TempDir static Path folder;

  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() throws Exception {
    Path keys = keys();
    KnownCallers callers = callers(keys);
    PrivateKey signing = signing(keys);
    return Stream.of(
        ParserFuzz.text("authorization", header -> recognize(callers, header)).test(),
        ParserFuzz.text("web-token", text -> recognize(callers, "Bearer " + signed(signing, text)))
            .test(),
        ParserFuzz.text("issuer-keys", CredentialsFuzzTest::readKeys)
            .refusing(UnusableCredentialsException.class)
            .test(),
        ParserFuzz.text("tokens-file", text -> TokensFile.read(text, Set.of("ci")))
            .refusing(IllegalArgumentException.class)
            .test());
  }

  private static Path keys() throws URISyntaxException {
    return Path.of(
        requireNonNull(CredentialsFuzzTest.class.getResource("issuer-keys.json")).toURI());
  }

  private static PrivateKey signing(Path keys) throws IOException, ParseException, JOSEException {
    return JWKSet.load(keys.toFile()).getKeys().getFirst().toRSAKey().toPrivateKey();
  }

  private static IssuerConfig issuer(Path keys) {
    return new IssuerConfig(
        "corp",
        "https://login.example.com",
        "kairos",
        "roles",
        Optional.empty(),
        Optional.of(keys));
  }

  private static KnownCallers callers(Path keys) {
    CallerConfig operators =
        new CallerConfig("operators", Hashes.of("fixed"), Set.of(CallerRole.ADMIN))
            .withClaims("corp/ops");
    return new KnownCallers(
        new CallersConfig(Optional.empty(), List.of(operators), List.of(issuer(keys))),
        () -> NOW,
        CredentialsFuzzTest::nextMinute);
  }

  /** Later each time, or all tokens after some wrong signatures would only be put off. */
  private static long nextMinute() {
    return MONOTONIC.addAndGet(TimeUnit.SECONDS.toNanos(61));
  }

  private static void recognize(KnownCallers callers, String header) {
    var _ = callers.of(ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/")), header);
  }

  /** A token of a line with its header and of its claims, which the issuer has signed. */
  private static String signed(PrivateKey key, String text) throws GeneralSecurityException {
    String[] parts = text.split("\n", 2);
    String content =
        BASE64.encodeToString(parts[0].getBytes(UTF_8))
            + "."
            + BASE64.encodeToString((parts.length < 2 ? "" : parts[1]).getBytes(UTF_8));
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(key);
    signature.update(content.getBytes(US_ASCII));
    return content + "." + BASE64.encodeToString(signature.sign());
  }

  private static void readKeys(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("keys.json"), text);
    var _ = new IssuerKeys(issuer(file), () -> 0);
  }
}
