package io.kairos.edge.caller;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.MonotonicClock;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows callers by JSON Web Tokens of the issuers that are configured (RFC 7519, RFC 8725). Only
 * asymmetric signatures count. Thread-safe; does not block.
 */
final class JsonWebTokens {
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final Pattern SUBJECT = Pattern.compile("[!-~]{1,128}");
  private static final int MOST_CHARACTERS = 16 << 10;
  private static final int MOST_KEPT = 1_000;
  private static final int SKEW_SECONDS = 60;

  /**
   * Tokens with wrong signatures from one address in a minute. A signature is checked on the thread
   * of the connection and costs a tenth of a millisecond or more, so nobody may have many checked.
   */
  private static final int MOST_FORGED = 20;

  private record Issuer(IssuerConfig config, IssuerKeys keys) {}

  /** A token that was judged right, and the version of the keys by which it was. */
  private record Judged(Caller caller, IssuerKeys by, int version, Instant until) {
    boolean stillHolds(Instant now) {
      return version == by.version() && now.isBefore(until);
    }
  }

  private final List<CallerConfig> callers;
  private final List<Issuer> issuers;
  private final InstantSource clock;
  private final AddressCounts forged;

  /** The latest tokens, the least used first: a signature costs as much as a small call. */
  @GuardedBy("this")
  private final LinkedHashMap<String, Judged> judged =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Judged> eldest) {
          return size() > MOST_KEPT;
        }
      };

  JsonWebTokens(CallersConfig config, InstantSource clock, MonotonicClock monotonic) {
    this.callers = config.callers();
    this.issuers =
        config.issuers().stream()
            .map(issuer -> new Issuer(issuer, new IssuerKeys(issuer, monotonic)))
            .toList();
    this.clock = clock;
    this.forged = new AddressCounts(MOST_FORGED, monotonic);
  }

  /** Fetch the keys of an issuer each, when it is time; they block, and none waits for another. */
  List<Step> upkeep() {
    return issuers.stream()
        .map(issuer ->
            Step.of(
                "issuer-" + issuer.config.name(),
                () -> {
                  issuer.keys.look();
                  return NextRound.after(KnownCallers.LOOKS_EVERY);
                }))
        .toList();
  }

  /**
   * Finds the caller of a token; null when it is not a JSON Web Token.
   *
   * @param hash of the token, by which it is found again
   * @param address from which it has come
   */
  @Nullable Recognition recognize(String token, String hash, String address) {
    if (token.length() > MOST_CHARACTERS) {
      return null;
    }
    Judged known;
    synchronized (this) {
      known = judged.get(hash);
    }
    if (known != null && known.stillHolds(clock.instant())) {
      return new Recognition.Known(known.caller);
    }
    SignedJWT signed;
    JWTClaimsSet claims;
    try {
      signed = SignedJWT.parse(token);
      claims = signed.getJWTClaimsSet();
    } catch (ParseException e) {
      return null;
    }
    return claims == null ? null : judge(signed, claims, hash, address);
  }

  /** Checks the signature last, because that costs most and everything else can be looked up. */
  private Recognition judge(SignedJWT signed, JWTClaimsSet claims, String hash, String address) {
    Issuer issuer =
        issuers.stream()
            .filter(one -> one.config.issuer().equals(claims.getIssuer()))
            .findFirst()
            .orElse(null);
    if (issuer == null) {
      return Recognition.Wrong.unknown("the token's issuer is not one of those that are known");
    }
    if (!ALGORITHMS.contains(signed.getHeader().getAlgorithm())) {
      return Recognition.Wrong.unknown(
          "the token is signed by %s, which is not accepted"
              .formatted(signed.getHeader().getAlgorithm()));
    }
    try {
      verifier(issuer.config.audience(), required(issuer.config).build()).verify(claims, null);
    } catch (BadJWTException e) {
      String why = refused(issuer.config, e);
      return hasExpired(claims) ? Recognition.Wrong.expired(why) : Recognition.Wrong.unknown(why);
    }
    if (!SUBJECT.matcher(String.valueOf(claims.getSubject())).matches()) {
      return Recognition.Wrong.unknown("the token's subject must be 1 to 128 printable characters");
    }
    int version = issuer.keys.version();
    JWKSet keys = issuer.keys.keys();
    JWKMatcher matcher = JWKMatcher.forJWSHeader(signed.getHeader());
    if (keys == null || matcher == null || new JWKSelector(matcher).select(keys).isEmpty()) {
      boolean isFetched =
          matcher != null && issuer.keys.ask(requireNonNullElse(signed.getHeader().getKeyID(), ""));
      return keys == null || isFetched
          ? new Recognition.Undecided(
              "the keys of the issuer "
                  + issuer.config.name()
                  + " are being fetched; try again in some seconds")
          : Recognition.Wrong.unknown("the token is signed by a key that its issuer does not have");
    }
    if (forged.isFull(address)) {
      return new Recognition.Undecided(
          "many tokens with wrong signatures came from your address; try again in a minute");
    }
    try {
      processor(keys, issuer.config.audience(), required(issuer.config).build())
          .process(signed, null);
    } catch (BadJOSEException | JOSEException e) {
      forged.add(address);
      return Recognition.Wrong.unknown(refused(issuer.config, e));
    }
    Caller caller = caller(issuer.config, claims);
    Instant until =
        requireNonNull(claims.getExpirationTime()).toInstant().plusSeconds(SKEW_SECONDS);
    synchronized (this) {
      judged.put(hash, new Judged(caller, issuer.keys, version, until));
    }
    return new Recognition.Known(caller);
  }

  private static String refused(IssuerConfig issuer, Exception why) {
    return "the token of the issuer " + issuer.name() + " is refused: " + why.getMessage();
  }

  private boolean hasExpired(JWTClaimsSet claims) {
    Date end = claims.getExpirationTime();
    return end != null && end.toInstant().plusSeconds(SKEW_SECONDS).isBefore(clock.instant());
  }

  private static JWTClaimsSet.Builder required(IssuerConfig issuer) {
    return new JWTClaimsSet.Builder().issuer(issuer.issuer());
  }

  private DefaultJWTProcessor<SecurityContext> processor(
      JWKSet keys, String audience, JWTClaimsSet required) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(ALGORITHMS, new ImmutableJWKSet<>(keys)));
    processor.setJWTClaimsSetVerifier(verifier(audience, required));
    return processor;
  }

  private DefaultJWTClaimsVerifier<SecurityContext> verifier(
      String audience, JWTClaimsSet required) {
    DefaultJWTClaimsVerifier<SecurityContext> verifier =
        new DefaultJWTClaimsVerifier<>(audience, required, Set.of("exp", "sub")) {
          @Override
          protected Date currentTime() {
            return Date.from(clock.instant());
          }
        };
    verifier.setMaxClockSkew(SKEW_SECONDS);
    return verifier;
  }

  private Caller caller(IssuerConfig issuer, JWTClaimsSet claims) {
    return caller(issuer, claims.getSubject(), roles(issuer, claims));
  }

  private Caller caller(IssuerConfig issuer, String subject, Set<String> roles) {
    List<CallerConfig> each =
        callers.stream()
            .filter(caller ->
                roles.stream()
                    .anyMatch(role -> caller.claims().contains(issuer.name() + "/" + role)))
            .toList();
    return Caller.of(issuer.name() + "/" + subject, each, callers);
  }

  private static Set<String> roles(IssuerConfig issuer, JWTClaimsSet claims) {
    return Set.copyOf(words(claims.getClaims(), issuer.rolesClaim()).toList());
  }

  /** Who the session's issuer has said somebody is; null when the issuer is no longer known. */
  @Nullable Caller of(Session.OfSubject session) {
    return issuers.stream()
        .filter(one -> one.config.name().equals(session.issuer()))
        .map(one -> caller(one.config, session.subject(), session.roles()))
        .findFirst()
        .orElse(null);
  }

  /**
   * The session of a token that has been found right.
   *
   * @param latest end of the session
   * @param endsWithToken true when the session ends no later than the token
   */
  Session.@Nullable OfSubject session(String token, Instant latest, boolean endsWithToken) {
    JWTClaimsSet claims;
    try {
      claims = SignedJWT.parse(token).getJWTClaimsSet();
    } catch (ParseException _) {
      return null;
    }
    Instant until = endsWithToken ? claims.getExpirationTime().toInstant() : latest;
    return issuers.stream()
        .map(Issuer::config)
        .filter(issuer -> issuer.issuer().equals(claims.getIssuer()))
        .findFirst()
        .map(issuer ->
            new Session.OfSubject(
                issuer.name(),
                claims.getSubject(),
                known(issuer, roles(issuer, claims)),
                until.isBefore(latest) ? until : latest))
        .orElse(null);
  }

  /** The roles that some caller's claims name: somebody may have hundreds of others. */
  private Set<String> known(IssuerConfig issuer, Set<String> roles) {
    return roles.stream()
        .filter(role ->
            callers.stream()
                .anyMatch(caller -> caller.claims().contains(issuer.name() + "/" + role)))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Who an ID token says somebody is (OpenID Connect Core, 3.1.3.7).
   *
   * @param name of the issuer
   * @param clientId for whom the token must be
   * @param nonce that the token must have
   */
  Recognition ofIdToken(String name, String clientId, String nonce, String token) {
    Issuer issuer =
        issuers.stream().filter(one -> one.config.name().equals(name)).findFirst().orElseThrow();
    JWKSet keys = issuer.keys.keys();
    try {
      SignedJWT signed = SignedJWT.parse(token);
      JWKMatcher matcher = JWKMatcher.forJWSHeader(signed.getHeader());
      if (keys == null || matcher == null || new JWKSelector(matcher).select(keys).isEmpty()) {
        var _ = issuer.keys.ask(requireNonNullElse(signed.getHeader().getKeyID(), ""));
        return new Recognition.Undecided("the keys of the issuer " + name + " are being fetched");
      }
      JWTClaimsSet claims =
          processor(keys, clientId, required(issuer.config).claim("nonce", nonce).build())
              .process(signed, null);
      Object party = claims.getClaim("azp");
      if (party != null && !party.equals(clientId)) {
        return Recognition.Wrong.unknown("the ID token is for another client");
      }
      return SUBJECT.matcher(String.valueOf(claims.getSubject())).matches()
          ? new Recognition.Known(caller(issuer.config, claims))
          : Recognition.Wrong.unknown(
              "the ID token's subject must be 1 to 128 printable characters");
    } catch (ParseException | BadJOSEException | JOSEException e) {
      return Recognition.Wrong.unknown("the ID token is refused: " + e.getMessage());
    }
  }

  /** The words of a claim, below objects if its path has dots; a claim's own name may have some. */
  private static Stream<String> words(Map<String, Object> claims, String path) {
    Object value = claims.get(path);
    int dot = path.indexOf('.');
    if (value == null && dot > 0 && claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner) {
      Map<String, Object> below = new LinkedHashMap<>();
      inner.forEach((key, each) -> below.put(String.valueOf(key), each));
      return words(below, path.substring(dot + 1));
    }
    return switch (value) {
      case String text -> Arrays.stream(text.split(" "));
      case Collection<?> list ->
          list.stream().filter(String.class::isInstance).map(String.class::cast);
      case null, default -> Stream.empty();
    };
  }
}
