package io.kairos.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.Endpoint;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.domain.pool.EndpointRouting.Candidate;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.engine.pool.EndpointView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The endpoints of one pool, and the choice of the next one. Thread-safe. */
final class PoolRotation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolRotation.class);

  private final PushPorts ports;
  private final Runnable changed;

  @GuardedBy("this")
  private final Map<EndpointUrl, EndpointAddresses> addresses = new LinkedHashMap<>();

  @GuardedBy("this")
  private Map<String, PushTarget> targets = new LinkedHashMap<>();

  /** The pool's credentials; null for none. */
  @GuardedBy("this")
  private @Nullable TlsMaterial identity;

  /**
   * URLs of a pool with credentials that get nothing: all if this node lacks the credentials, else
   * those that are not https.
   */
  @GuardedBy("this")
  private Set<EndpointUrl> excluded = Set.of();

  /** Turns of the endpoint that was chosen last. */
  @GuardedBy("this")
  private double turns;

  /** The credentials whose lack was logged last; used by the thread that updates only. */
  private @Nullable String warnedOf;

  private volatile Pool pool;
  private volatile boolean stale = true;

  /**
   * Starts without endpoints.
   *
   * @param changed called when the endpoints may have changed
   */
  PoolRotation(Pool pool, PushPorts ports, Runnable changed) {
    this.pool = pool;
    this.ports = ports;
    this.changed =
        () -> {
          stale = true;
          changed.run();
        };
  }

  /**
   * Sets the pool and its URLs; an endpoint that remains keeps its state, unless the credentials
   * have changed. A pool that names credentials has no endpoints without them, and https ones only.
   *
   * @param newIdentity the credentials that the pool names; null when it names none, or this node
   *     lacks them
   */
  void update(Pool newPool, Set<EndpointUrl> allUrls, @Nullable TlsMaterial newIdentity) {
    String lacking = newIdentity == null ? newPool.tls() : null;
    boolean anyUrl = newPool.tls() == null;
    Set<EndpointUrl> urls = new HashSet<>(allUrls);
    urls.removeIf(url -> !anyUrl && (newIdentity == null || !url.tls()));
    Set<EndpointUrl> without = new HashSet<>(allUrls);
    without.removeAll(urls);
    List<EndpointAddresses> gone = new ArrayList<>();
    synchronized (this) {
      boolean isOther = !Objects.equals(newIdentity, identity);
      boolean asksOtherwise = !Objects.equals(newPool.healthPath(), pool.healthPath()) || isOther;
      if (isOther) {
        targets = new LinkedHashMap<>(); // they have connections with the former credentials
      }
      pool = newPool;
      identity = newIdentity;
      excluded = without;
      addresses
          .values()
          .removeIf(one -> {
            boolean leaves = asksOtherwise || !urls.contains(one.url());
            if (leaves) {
              gone.add(one);
            }
            return leaves;
          });
      for (EndpointUrl url : urls) {
        addresses.computeIfAbsent(
            url,
            missing ->
                new EndpointAddresses(missing, ports, newIdentity, newPool.healthPath(), changed));
      }
      stale = true;
    }
    gone.forEach(EndpointAddresses::close);
    warn(newPool, lacking);
  }

  /** Says once that the pool gets nothing from this node, and once again when that begins anew. */
  private void warn(Pool newPool, @Nullable String lacking) {
    if (lacking != null && !lacking.equals(warnedOf)) {
      LOG.atWarn()
          .addKeyValue("pool", newPool.name())
          .addKeyValue("why", ports.caller().credentials().whyMissing(lacking))
          .log("a pool is not pushed to by this node; its tasks wait for one with its credentials");
    }
    warnedOf = lacking;
  }

  /** Takes over the endpoints that the URLs resolve to now. */
  @GuardedBy("this")
  private void look() {
    Map<String, PushTarget> found = new LinkedHashMap<>();
    for (EndpointAddresses one : addresses.values()) {
      for (Endpoint endpoint : one.endpoints()) {
        String id = one.id(endpoint);
        PushTarget known = targets.get(id);
        found.put(id, known == null ? new PushTarget(id, one.url(), one.client(endpoint)) : known);
      }
    }
    targets = found;
  }

  /**
   * Chooses an endpoint and begins a request at it; the caller ends the request. One choice at a
   * time: two event loops that chose from the same counts would send both requests to one endpoint.
   *
   * @param key ordering key or schedule, whose requests may stick to one endpoint; null for none
   * @param without ids of endpoints that must not be chosen
   */
  synchronized Optional<PushTarget> choose(@Nullable String key, Set<String> without) {
    Set<String> tried = new HashSet<>(without);
    while (true) {
      long now = ports.monotonic().nanos();
      double leastTurns = turns;
      List<PushTarget> able = new ArrayList<>();
      List<Candidate> candidates = new ArrayList<>();
      for (PushTarget target : all()) {
        Candidate candidate = target.candidate(now, pool.ejection(), leastTurns);
        if (candidate.share() > 0 && !tried.contains(target.id())) {
          able.add(target);
          candidates.add(candidate);
        }
      }
      if (able.isEmpty()) {
        return Optional.empty();
      }
      int choice = pool.routing().choose(candidates, key, ports.chance());
      PushTarget chosen = able.get(choice);
      if (chosen.begin(now, pool.ejection(), leastTurns)) {
        turns = candidates.get(choice).turns();
        return Optional.of(chosen);
      }
      tried.add(chosen.id()); // it has just been ejected
    }
  }

  /** How many requests may begin: no limit, or one for each ejected endpoint that may be probed. */
  int room() {
    long now = ports.monotonic().nanos();
    int probes = 0;
    for (PushTarget target : all()) {
      if (!target.isEjected()) {
        return Integer.MAX_VALUE;
      }
      if (target.candidate(now, pool.ejection(), 0).share() > 0) {
        probes++;
      }
    }
    return probes;
  }

  /** True when some endpoint other than these may get a request now. */
  boolean isReadyBut(Set<String> without) {
    long now = ports.monotonic().nanos();
    return all().stream()
        .filter(target -> !without.contains(target.id()))
        .anyMatch(target -> target.candidate(now, pool.ejection(), 0).share() > 0);
  }

  /** All endpoints, ejected ones included. */
  synchronized List<PushTarget> all() {
    if (stale) {
      stale = false;
      look();
    }
    return List.copyOf(targets.values());
  }

  /** All endpoints, and the addresses to which no requests go, as operators see them. */
  List<EndpointView> views() {
    List<EndpointView> views = new ArrayList<>();
    for (PushTarget target : all()) {
      views.add(new EndpointView(target.id(), target.isEjected(), ""));
    }
    synchronized (this) {
      addresses.values().forEach(one -> views.addAll(one.excluded()));
      String tls = pool.tls();
      if (tls != null) {
        excluded.forEach(url -> views.add(new EndpointView(url.toString(), false, why(url, tls))));
      }
    }
    return views;
  }

  /** Why an excluded URL gets nothing. */
  private String why(EndpointUrl url, String tls) {
    return url.tls()
        ? ports.caller().credentials().whyMissing(tls)
        : "must be " + Pool.TLS_URL_RULE;
  }

  Pool pool() {
    return pool;
  }

  @Override
  public void close() {
    List<EndpointAddresses> gone;
    synchronized (this) {
      gone = List.copyOf(addresses.values());
      addresses.clear();
      excluded = Set.of();
      targets = new LinkedHashMap<>();
    }
    gone.forEach(EndpointAddresses::close);
  }
}
