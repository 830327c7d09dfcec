package io.kairos.edge.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds callers by the hash of their token. Every search takes equally long, against guessing. */
final class KnownCallers {
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(CallerConfig caller, byte[] hash) {}

  private static final AttributeKey<Optional<CallerConfig>> CALLER =
      AttributeKey.valueOf(KnownCallers.class, "CALLER");

  private final List<Known> known;
  private final Map<String, List<String>> othersKeys;

  KnownCallers(List<CallerConfig> callers) {
    this.known =
        callers.stream()
            .map(caller -> new Known(caller, HexFormat.of().parseHex(caller.tokenSha256())))
            .toList();
    this.othersKeys =
        callers.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    CallerConfig::name, caller -> caller.othersKeys(callers)));
  }

  /** True when no callers are configured, so that everybody who reaches the process may call. */
  boolean isEmpty() {
    return known.isEmpty();
  }

  /** The beginnings of idempotency keys that this caller may not use, because others have them. */
  List<String> othersKeys(CallerConfig caller) {
    return requireNonNull(othersKeys.get(caller.name()));
  }

  /** The caller whose token a request has. It is looked up once for each request. */
  Optional<CallerConfig> of(ServiceRequestContext request, @Nullable String authorization) {
    Optional<CallerConfig> known = request.attr(CALLER);
    if (known == null) {
      String token = CallGate.token(authorization);
      known = token == null ? Optional.empty() : holding(token);
      request.setAttr(CALLER, known);
    }
    return known;
  }

  private Optional<CallerConfig> holding(String token) {
    byte[] hash = sha256(token);
    Optional<CallerConfig> found = Optional.empty();
    for (Known one : known) {
      if (MessageDigest.isEqual(hash, one.hash)) {
        found = Optional.of(one.caller);
      }
    }
    return found;
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
