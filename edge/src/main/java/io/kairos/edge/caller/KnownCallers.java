package io.kairos.edge.caller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.api.file.FileWatch;
import io.kairos.edge.caller.TokensFile.Token;
import io.kairos.edge.tls.ClientCertificate;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.MonotonicClock;
import io.netty.util.AttributeKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the caller of a request by its token, or else by its certificate. A search by hash takes
 * equally long whatever it finds, against guessing. Thread-safe; calls do not block.
 */
public final class KnownCallers {
  private static final String BEARER = "Bearer ";
  static final Duration LOOKS_EVERY = FileWatch.LOOKS_EVERY;

  private static final AttributeKey<Recognition> RECOGNITION =
      AttributeKey.valueOf(KnownCallers.class, "RECOGNITION");

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(Caller caller, byte[] hash, @Nullable Instant notAfter) {}

  private final CallersConfig config;
  private final InstantSource clock;
  private final List<Known> configured;
  private final @Nullable JsonWebTokens webTokens;
  private final @Nullable WatchedFile file;

  /** Of the file of tokens. */
  private volatile List<Known> listed = List.of();

  /**
   * The callers of a process.
   *
   * @param clock by which tokens expire
   * @param monotonic by which keys of issuers are fetched now and then
   * @throws UnusableCredentialsException when a file cannot be read or has a mistake
   */
  public KnownCallers(CallersConfig config, InstantSource clock, MonotonicClock monotonic) {
    this.config = config;
    this.clock = clock;
    List<Known> known = new ArrayList<>();
    for (CallerConfig caller : config.callers()) {
      caller.tokenSha256().ifPresent(hash -> known.add(known(caller, hash, null)));
    }
    this.configured = List.copyOf(known);
    // The library's classes are loaded only where they are needed.
    this.webTokens =
        config.issuers().isEmpty() ? null : new JsonWebTokens(config, clock, monotonic);
    this.file =
        config
            .tokensFile()
            .map(path -> new WatchedFile("http.tokens-file", path, this::accept))
            .orElse(null);
    if (file != null) {
      file.open();
    }
  }

  private Known known(CallerConfig caller, String hash, @Nullable Instant notAfter) {
    return new Known(
        Caller.of(caller.name(), List.of(caller), config.callers()),
        HexFormat.of().parseHex(hash),
        notAfter);
  }

  private void accept(String text) {
    Set<String> names =
        config.callers().stream().map(CallerConfig::name).collect(Collectors.toSet());
    List<Known> read = new ArrayList<>();
    for (Token token : TokensFile.read(text, names)) {
      if (config.callers().stream()
          .anyMatch(caller -> caller.tokenSha256().filter(token.sha256()::equals).isPresent())) {
        throw new IllegalArgumentException(
            "a token of "
                + token.caller()
                + " is the token-sha256 of a caller: take one of them away");
      }
      config.callers().stream()
          .filter(caller -> caller.name().equals(token.caller()))
          .forEach(caller -> read.add(known(caller, token.sha256(), token.notAfter())));
    }
    listed = List.copyOf(read);
  }

  /**
   * Steps that read the file of tokens and fetch the keys of each issuer again, every few seconds.
   * Their rounds block.
   */
  public List<Step> upkeep() {
    List<Step> steps = new ArrayList<>();
    WatchedFile tokens = file;
    if (tokens != null) {
      steps.add(
          Step.of(
              "tokens",
              () -> {
                tokens.look();
                return NextRound.after(LOOKS_EVERY);
              }));
    }
    if (webTokens != null) {
      steps.addAll(webTokens.upkeep());
    }
    return steps;
  }

  /** True when no callers are configured, so that everybody who reaches the process may call. */
  public boolean isEmpty() {
    return config.isEmpty();
  }

  /** Who sends a request. It is found once for each request. */
  public Recognition of(ServiceRequestContext request, @Nullable String authorization) {
    Recognition found = request.attr(RECOGNITION);
    if (found == null) {
      String token = token(authorization);
      found =
          token == null
              ? showing(ClientCertificate.names(request))
              : holding(token, PresentCaller.address(request));
      request.setAttr(RECOGNITION, found);
    }
    return found;
  }

  /** Says who sends a request, before anybody asks. */
  public static void recognize(ServiceRequestContext request, Recognition as) {
    request.setAttr(RECOGNITION, as);
  }

  /**
   * Finds the caller of a token.
   *
   * @param address from which it came
   */
  public Recognition ofToken(String token, String address) {
    return holding(token, address);
  }

  /** Who an ID token of an issuer with this name says somebody is; it must be known. */
  public Recognition ofIdToken(String issuer, String clientId, String nonce, String token) {
    return requireNonNull(webTokens).ofIdToken(issuer, clientId, nonce, token);
  }

  /**
   * The session of a token that has just been found right. It ends with the token.
   *
   * @param latest end of the session
   */
  public Session session(String token, Instant latest) {
    byte[] hash = sha256(token);
    Session ofSubject =
        webTokens == null || find(hash) != null ? null : webTokens.session(token, latest, true);
    return ofSubject == null
        ? new Session.OfToken(HexFormat.of().formatHex(hash), latest)
        : ofSubject;
  }

  /** The session of an ID token that has just been found right. It outlives the token. */
  public Session sessionOfIdToken(String token, Instant end) {
    return requireNonNull(requireNonNull(webTokens).session(token, end, false));
  }

  /** Finds the caller of a session. */
  public Recognition of(Session session) {
    if (!clock.instant().isBefore(session.until())) {
      return new Recognition.Wrong("the session has ended", "it has ended");
    }
    return switch (session) {
      case Session.OfToken(String sha256, Instant _) -> {
        Known found = find(HexFormat.of().parseHex(sha256));
        yield found == null ? Recognition.Wrong.unknown("its token is unknown") : known(found);
      }
      case Session.OfSubject subject -> {
        Caller caller = webTokens == null ? null : webTokens.of(subject);
        yield caller == null
            ? Recognition.Wrong.unknown("its issuer is unknown")
            : new Recognition.Known(caller);
      }
    };
  }

  /** The token of a header; null when it has none. */
  private static @Nullable String token(@Nullable String authorization) {
    String token =
        authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            ? authorization.substring(BEARER.length()).strip()
            : "";
    return token.isEmpty() ? null : token;
  }

  /** Who shows a certificate with these names; their signature has been checked before. */
  private Recognition showing(List<String> names) {
    List<CallerConfig> each =
        config.callers().stream()
            .filter(caller -> caller.certificates().stream().anyMatch(names::contains))
            .toList();
    return each.isEmpty()
        ? new Recognition.Missing()
        : new Recognition.Known(Caller.of(each.getFirst().name(), each, config.callers()));
  }

  private Recognition holding(String token, String address) {
    byte[] hash = sha256(token);
    Known found = find(hash);
    if (found != null) {
      return known(found);
    }
    Recognition byClaims =
        webTokens == null
            ? null
            : webTokens.recognize(token, HexFormat.of().formatHex(hash), address);
    return byClaims == null
        ? Recognition.Wrong.unknown("the token is unknown: no caller has it")
        : byClaims;
  }

  private @Nullable Known find(byte[] hash) {
    Known found = null;
    for (List<Known> some : List.of(configured, listed)) {
      for (Known one : some) {
        if (MessageDigest.isEqual(hash, one.hash)) {
          found = one;
        }
      }
    }
    return found;
  }

  private Recognition known(Known found) {
    return found.notAfter != null && found.notAfter.isBefore(clock.instant())
        ? Recognition.Wrong.expired(
            "the token of " + found.caller.name() + " has expired, at " + found.notAfter)
        : new Recognition.Known(found.caller);
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
