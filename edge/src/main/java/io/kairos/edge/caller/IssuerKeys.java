package io.kairos.edge.caller;

import static java.util.Objects.requireNonNullElse;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.kairos.engine.time.MonotonicClock;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer (RFC 7517), fetched now and then on a thread of their own, so that no call
 * waits for the issuer. Keys stay in use while the issuer is away.
 */
final class IssuerKeys {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
  private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** A token that names an unknown key makes them be fetched sooner, but not more often. */
  private static final long AT_MOST_EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int MOST_WANTED = 100;

  private static final Set<KeyType> USABLE = Set.of(KeyType.RSA, KeyType.EC);

  private final IssuerConfig config;
  private final IssuerClient client = new IssuerClient();
  private final MonotonicClock monotonic;
  private final @Nullable WatchedFile file;

  /** Ids of keys for which somebody waits, and those that the last fetch has not found. */
  private final Set<String> wanted = new HashSet<>();

  private volatile Set<String> missing = Set.of();
  private volatile @Nullable JWKSet keys;
  private final AtomicInteger version = new AtomicInteger();
  private volatile long lookedNanos;
  private volatile boolean looked;
  private volatile @Nullable String problem;

  IssuerKeys(IssuerConfig config, MonotonicClock monotonic) {
    this.config = config;
    this.monotonic = monotonic;
    this.file =
        config
            .keysFile()
            .map(path ->
                new WatchedFile("http.issuers." + config.name() + ".keys-file", path, this::accept))
            .orElse(null);
    if (file != null) {
      file.open();
    }
  }

  /** Grows after the keys have become others; not when the same ones have been fetched again. */
  int version() {
    return version.get();
  }

  /** The keys; null while none have been fetched. */
  @Nullable JWKSet keys() {
    return keys;
  }

  /**
   * Asks for the keys to be fetched, because a token names an unknown one.
   *
   * @param id of the key; empty when the token names none
   * @return false when they have been fetched since somebody first named the key, and lately, so
   *     that it does not exist
   */
  boolean ask(String id) {
    if (file != null) {
      return false;
    }
    boolean isLate = monotonic.nanos() - lookedNanos >= AT_MOST_EVERY_NANOS;
    if (problem == null && !isLate && missing.contains(id)) {
      return false;
    }
    synchronized (wanted) {
      if (wanted.size() < MOST_WANTED) {
        wanted.add(id);
      }
    }
    return true;
  }

  private boolean isAsked() {
    synchronized (wanted) {
      return !wanted.isEmpty();
    }
  }

  /** Fetches the keys when it is time; blocks. */
  void look() {
    WatchedFile watched = file;
    if (watched != null) {
      watched.look();
      return;
    }
    boolean isTime = !looked || monotonic.nanos() - lookedNanos >= EVERY_NANOS;
    boolean again =
        (keys == null || problem != null || isAsked())
            && monotonic.nanos() - lookedNanos >= AT_MOST_EVERY_NANOS;
    if (!isTime && !again) {
      return;
    }
    try {
      Set<String> gone = idsBeforeFetch();
      accept(client.get(keysUrl()));
      missing = without(gone, keys);
      stopWaitingFor(ids(keys));
      if (problem != null) {
        LOG.atInfo().addKeyValue("issuer", config.name()).log("The issuer's keys are there again");
      }
      problem = null;
    } catch (IOException | IllegalArgumentException e) {
      String reason = e.getClass().getSimpleName() + ": " + e.getMessage();
      if (!reason.equals(problem)) {
        LOG.atWarn()
            .addKeyValue("issuer", config.name())
            .addKeyValue("problem", reason)
            .log("The issuer's keys cannot be fetched: those that are known stay in use");
      }
      problem = reason;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lookedNanos = monotonic.nanos();
      looked = true;
    }
  }

  /** Of the keys so far, and of those that are wanted; these are wanted no more. */
  private Set<String> idsBeforeFetch() {
    Set<String> ids = ids(keys);
    synchronized (wanted) {
      ids.addAll(wanted);
      wanted.clear();
    }
    return ids;
  }

  /** A key that was asked for while it was being fetched is there now. */
  private void stopWaitingFor(Set<String> ids) {
    synchronized (wanted) {
      wanted.removeAll(ids);
    }
  }

  private static Set<String> ids(@Nullable JWKSet keys) {
    Set<String> ids = new HashSet<>();
    if (keys != null) {
      keys.getKeys().forEach(key -> ids.add(requireNonNullElse(key.getKeyID(), "")));
    }
    return ids;
  }

  private static Set<String> without(Set<String> ids, @Nullable JWKSet keys) {
    ids.removeAll(ids(keys));
    return Set.copyOf(ids);
  }

  private void accept(String text) {
    try {
      Map<String, Object> json = JSONObjectUtils.parse(text);
      if (json == null) { // the library's answer to the text null, whatever follows it
        throw new IllegalArgumentException("it is not a JWK set but null");
      }
      List<JWK> usable =
          JWKSet.parse(json).getKeys().stream()
              .filter(key -> USABLE.contains(key.getKeyType()))
              .map(JWK::toPublicJWK)
              .toList();
      if (usable.isEmpty()) {
        throw new IllegalArgumentException("it has no RSA or EC key");
      }
      Set<JWK> before = keys == null ? Set.of() : Set.copyOf(keys.getKeys());
      if (!before.equals(Set.copyOf(usable))) {
        keys = new JWKSet(usable);
        version.incrementAndGet();
      }
    } catch (ParseException e) {
      throw new IllegalArgumentException("it is not a JWK set: " + e.getMessage(), e);
    }
  }

  private URI keysUrl() throws IOException, InterruptedException {
    Optional<URI> given = config.keysUrl();
    if (given.isPresent()) {
      return given.get();
    }
    return IssuerClient.url(client.configuration(config.issuer()), "jwks_uri");
  }
}
