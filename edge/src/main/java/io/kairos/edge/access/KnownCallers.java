package io.kairos.edge.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Finds callers by the hash of their token. Every search takes equally long, against guessing. */
final class KnownCallers {
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(CallerConfig caller, byte[] hash) {}

  private final List<Known> known;

  KnownCallers(List<CallerConfig> callers) {
    this.known =
        callers.stream()
            .map(caller -> new Known(caller, HexFormat.of().parseHex(caller.tokenSha256())))
            .toList();
  }

  /** True when no callers are configured, so that everybody who reaches the process may call. */
  boolean isEmpty() {
    return known.isEmpty();
  }

  Optional<CallerConfig> holding(String token) {
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
