package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.kairos.edge.caller.Recognition.Known;
import io.kairos.edge.caller.Recognition.Undecided;
import io.kairos.edge.caller.Recognition.Wrong;
import io.kairos.engine.loop.Step;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real issuer: a web server on this machine with a configuration and keys. */
class JsonWebTokensTest {
  private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");

  private final HttpServer server = server();
  private final String issuer =
      "http://127.0.0.1:" + server.getAddress().getPort() + "/realms/jobs";
  private ECKey key = key("first");
  private volatile String keys = new JWKSet(key.toPublicJWK()).toString();
  private volatile int status = 200;
  private final AtomicInteger asked = new AtomicInteger();
  private Instant now = START;
  private long nanos;
  private KnownCallers callers = callers("roles");

  private static HttpServer server() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ECKey key(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void serve() {
    server.createContext(
        "/realms/jobs/.well-known/openid-configuration",
        exchange ->
            answer(
                exchange,
                "{\"issuer\": \"" + issuer + "\", \"jwks_uri\": \"" + issuer + "/keys\"}"));
    server.createContext(
        "/realms/jobs/keys",
        exchange -> {
          asked.incrementAndGet();
          answer(exchange, keys);
        });
    server.start();
  }

  private void answer(com.sun.net.httpserver.HttpExchange exchange, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private KnownCallers callers(String rolesClaim) {
    CallerConfig operators =
        new CallerConfig("operators", "", Set.of(CallerRole.ADMIN)).withClaims("corp/ops");
    CallerConfig readers =
        new CallerConfig("readers", "", Set.of(CallerRole.READ)).withClaims("corp/dev", "corp/ops");
    IssuerConfig corp =
        new IssuerConfig("corp", issuer, "kairos", rolesClaim, Optional.empty(), Optional.empty());
    return new KnownCallers(
        new CallersConfig(Optional.empty(), List.of(operators, readers), List.of(corp)),
        () -> now,
        () -> nanos);
  }

  private JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(issuer)
        .audience("kairos")
        .subject("ann")
        .claim("roles", List.of("dev"))
        .expirationTime(Date.from(START.plusSeconds(300)));
  }

  private String token(UnaryOperator<JWTClaimsSet.Builder> change) {
    return signed(key, change.apply(claims()).build());
  }

  private static String signed(ECKey key, JWTClaimsSet claims) {
    try {
      SignedJWT jwt =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims);
      jwt.sign(new ECDSASigner(key));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private Recognition of(String token) {
    return callers.of(
        ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/")), "Bearer " + token);
  }

  private void look() {
    callers.upkeep().forEach(Step::runOnce);
  }

  private void assertWrong(String token, String why) {
    assertThat(of(token))
        .isInstanceOfSatisfying(Wrong.class, wrong -> assertThat(wrong.why()).contains(why));
  }

  @Test
  void a_token_is_judged_as_soon_as_the_keys_are_there() {
    String token = token(same -> same);

    assertThat(of(token))
        .isInstanceOfSatisfying(
            Undecided.class, later -> assertThat(later.why()).contains("keys of the issuer corp"));
    look();

    assertThat(of(token))
        .isInstanceOfSatisfying(
            Known.class,
            known -> {
              assertThat(known.caller().name()).isEqualTo("corp/ann");
              assertThat(known.caller().scopes().keySet()).containsExactly(CallerRole.READ);
            });
  }

  @Test
  void roles_are_words_or_a_list_or_below_an_object_and_without_one_nothing_is_allowed() {
    look();
    assertRoles(
        token(claims -> claims.claim("roles", "ops other")), CallerRole.ADMIN, CallerRole.READ);
    assertRoles(token(claims -> claims.claim("roles", List.of("other", 7))));
    assertRoles(token(claims -> claims.claim("roles", null)));
    callers = callers("realm_access.roles");
    look();
    assertRoles(
        token(claims -> claims.claim("realm_access", Map.of("roles", List.of("dev")))),
        CallerRole.READ);
    assertRoles(token(claims -> claims.claim("realm_access", "dev")));
  }

  private void assertRoles(String token, CallerRole... roles) {
    assertThat(of(token))
        .isInstanceOfSatisfying(
            Known.class, known -> assertThat(known.caller().scopes().keySet()).containsOnly(roles));
  }

  @Test
  void what_is_wrong_is_refused_with_the_reason() throws Exception {
    look();
    assertWrong(token(c -> c.issuer("https://other.example")), "issuer is not one of those");
    assertWrong(token(c -> c.audience("another")), "aud");
    assertWrong(token(c -> c.expirationTime(Date.from(START.minusSeconds(61)))), "Expired");
    assertWrong(token(c -> c.expirationTime(null)), "exp");
    assertWrong(token(c -> c.notBeforeTime(Date.from(START.plusSeconds(61)))), "before");
    assertWrong(token(c -> c.subject(null)), "sub");
    assertWrong(token(c -> c.subject("a b")), "subject must be");
    String right = token(same -> same);
    assertWrong(right.substring(0, right.length() - 8) + "AAAAAAAA", "refused");
    assertWrong(signed(key("first"), claims().build()), "refused");
    assertWrong(new PlainJWT(claims().build()).serialize(), "unknown");
    assertWrong("a.b.c", "unknown");
    SignedJWT shared =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(), claims().build());
    shared.sign(new MACSigner(key.toPublicJWK().toString()));
    assertWrong(shared.serialize(), "HS256, which is not accepted");
  }

  @Test
  void a_stranger_is_told_no_more_than_that_a_token_is_unknown_or_has_expired() {
    look();
    assertTold(token(c -> c.issuer("https://other.example")), "the token is unknown");
    assertTold(token(c -> c.audience("another")), "the token is unknown");
    assertTold(signed(key("first"), claims().build()), "the token is unknown");
    String other = signed(key("other"), claims().build());
    assertThat(of(other)).isInstanceOf(Undecided.class);
    nanos += Duration.ofSeconds(31).toNanos();
    look();
    assertTold(other, "the token is unknown");
    assertTold(
        token(c -> c.expirationTime(Date.from(START.minusSeconds(61)))), "the token has expired");
  }

  private void assertTold(String token, String told) {
    assertThat(of(token))
        .isInstanceOfSatisfying(Wrong.class, wrong -> assertThat(wrong.told()).isEqualTo(told));
  }

  @Test
  void who_sends_many_wrong_signatures_has_no_more_checked_until_the_next_minute() {
    look();
    String known = token(same -> same);
    assertThat(of(known)).isInstanceOf(Known.class);
    for (int i = 0; i < 100; i++) {
      assertWrong(signed(key("first"), claims().audience("another").build()), "aud");
    }
    for (int i = 0; i < 20; i++) {
      assertWrong(signed(key("first"), claims().build()), "refused");
    }

    assertUndecided(signed(key("first"), claims().build()));
    assertUndecided(token(c -> c.subject("bob")));
    assertThat(of(known)).as("was judged before").isInstanceOf(Known.class);
    nanos += Duration.ofSeconds(61).toNanos();
    assertThat(of(token(c -> c.subject("bob")))).isInstanceOf(Known.class);
  }

  @Test
  void a_token_that_was_judged_holds_when_the_same_keys_are_fetched_again() {
    look();
    String known = token(same -> same);
    assertThat(of(known)).isInstanceOf(Known.class);
    nanos += Duration.ofSeconds(31).toNanos();
    var _ = of(signed(key("guess"), claims().build()));
    for (int i = 0; i < 20; i++) {
      assertWrong(signed(key("first"), claims().build()), "refused");
    }
    assertUndecided(token(c -> c.subject("bob")));

    look();

    assertThat(asked).hasValue(2);
    assertThat(of(known)).isInstanceOf(Known.class);
  }

  private void assertUndecided(String token) {
    assertThat(of(token))
        .isInstanceOfSatisfying(
            Undecided.class, later -> assertThat(later.why()).contains("from your address"));
  }

  @Test
  void clocks_may_differ_by_a_minute() {
    look();
    assertThat(of(token(c -> c.expirationTime(Date.from(START.minusSeconds(59))))))
        .isInstanceOf(Known.class);
    assertThat(of(token(c -> c.notBeforeTime(Date.from(START.plusSeconds(59))))))
        .isInstanceOf(Known.class);
  }

  @Test
  void a_token_that_was_right_expires() {
    look();
    String token = token(same -> same);
    assertThat(of(token)).isInstanceOf(Known.class);

    now = START.plusSeconds(361);

    assertWrong(token, "Expired");
  }

  @Test
  void a_hundred_new_keys_are_fetched_when_they_are_first_seen_and_old_ones_no_longer_count() {
    look();
    for (int i = 1; i <= 100; i++) {
      String before = token(same -> same);
      key = key("key " + i);
      keys = new JWKSet(key.toPublicJWK()).toString();
      nanos += Duration.ofSeconds(31).toNanos();
      assertThat(of(before)).isInstanceOf(Known.class);
      String after = token(same -> same);

      assertThat(of(after)).isInstanceOf(Undecided.class);
      look();

      assertThat(of(after)).isInstanceOf(Known.class);
      assertWrong(before, "a key that its issuer does not have");
    }
    assertThat(asked).hasValue(101);
  }

  @Test
  void a_key_that_is_published_after_a_fetch_is_waited_for_whoever_caused_that_fetch() {
    look();
    nanos += Duration.ofSeconds(31).toNanos();
    var _ = of(signed(key("guess"), claims().build()));
    look();
    ECKey renewed = key("renewed");
    String token = signed(renewed, claims().build());

    assertThat(of(token)).isInstanceOf(Undecided.class);
    assertWrong(signed(key("guess"), claims().build()), "a key that its issuer does not have");

    keys = new JWKSet(renewed.toPublicJWK()).toString();
    nanos += Duration.ofSeconds(31).toNanos();
    look();
    assertThat(of(token)).isInstanceOf(Known.class);
  }

  @Test
  void a_token_of_a_new_key_is_not_refused_while_the_issuer_is_away() {
    look();
    String token = signed(key("renewed"), claims().build());
    status = 500;
    nanos += Duration.ofSeconds(31).toNanos();
    assertThat(of(token)).isInstanceOf(Undecided.class);
    look();

    assertThat(of(token)).isInstanceOf(Undecided.class);
  }

  @Test
  void unknown_keys_do_not_make_a_node_ask_the_issuer_more_than_twice_a_minute() {
    look();
    for (int i = 0; i < 50; i++) {
      nanos += Duration.ofSeconds(5).toNanos();
      var _ = of(signed(key("guess " + i), claims().build()));
      look();
    }
    assertThat(asked).hasValueLessThanOrEqualTo(10);
  }

  @Test
  void keys_stay_in_use_while_the_issuer_is_away_or_sends_garbage() {
    look();
    String token = token(same -> same);
    for (String garbage : List.of("garbage", "{\"keys\": []}", "[1]")) {
      keys = garbage;
      nanos += Duration.ofMinutes(11).toNanos();
      look();
      assertThat(of(token)).isInstanceOf(Known.class);
    }
    status = 500;
    nanos += Duration.ofMinutes(11).toNanos();
    look();
    assertThat(of(token)).isInstanceOf(Known.class);
    server.stop(0);
    nanos += Duration.ofMinutes(11).toNanos();
    look();
    assertThat(of(token)).isInstanceOf(Known.class);
  }
}
