package io.kairos.server.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.client.Endpoint;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.Routing.Candidate;
import io.kairos.engine.time.Monotonic;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The endpoints of one pool that may be pushed to, and which of them is next. Thread-safe. */
final class Crew implements AutoCloseable {
  private final Caller caller;
  private final Monotonic monotonic;
  private final RandomGenerator chance;
  private final List<InetSocketAddress> dns;
  private final Runnable changed;

  @GuardedBy("this")
  private final Map<EndpointUrl, Place> places = new LinkedHashMap<>();

  @GuardedBy("this")
  private Map<String, Target> targets = new LinkedHashMap<>();

  private volatile Pool pool;
  private volatile boolean stale = true;

  /**
   * Has nobody yet.
   *
   * @param dns servers to ask; empty for those of the system
   * @param changed told when there may be others
   */
  Crew(
      Pool pool,
      Caller caller,
      Monotonic monotonic,
      RandomGenerator chance,
      List<InetSocketAddress> dns,
      Runnable changed) {
    this.pool = pool;
    this.caller = caller;
    this.monotonic = monotonic;
    this.chance = chance;
    this.dns = List.copyOf(dns);
    this.changed =
        () -> {
          stale = true;
          changed.run();
        };
  }

  /** From now on these; what stays keeps what is known of it. */
  void are(Pool newPool, Set<EndpointUrl> urls) {
    List<Place> gone = new ArrayList<>();
    synchronized (this) {
      boolean asksOtherwise = !Objects.equals(newPool.healthPath(), pool.healthPath());
      pool = newPool;
      places
          .values()
          .removeIf(place -> {
            boolean leaves = asksOtherwise || !urls.contains(place.url());
            if (leaves) {
              gone.add(place);
            }
            return leaves;
          });
      for (EndpointUrl url : urls) {
        places.computeIfAbsent(
            url, one -> new Place(one, caller, newPool.healthPath(), dns, changed));
      }
      stale = true;
    }
    gone.forEach(Place::close);
  }

  /** Takes over what the places have found. */
  @GuardedBy("this")
  private void look() {
    Map<String, Target> found = new LinkedHashMap<>();
    for (Place place : places.values()) {
      for (Endpoint endpoint : place.endpoints()) {
        String id = place.id(endpoint);
        Target known = targets.get(id);
        found.put(
            id,
            known == null
                ? new Target(id, place.url(), place.protocol(), endpoint, caller)
                : known);
      }
    }
    targets = found;
  }

  /**
   * Chooses an endpoint and begins a request at it, which the caller ends.
   *
   * @param key what sticks to one endpoint; null for nothing
   * @param without those that are not to be asked
   */
  Optional<Target> choose(@Nullable String key, Set<String> without) {
    Set<String> tried = new HashSet<>(without);
    while (true) {
      long now = monotonic.nanos();
      List<Target> able = new ArrayList<>();
      List<Candidate> candidates = new ArrayList<>();
      for (Target target : all()) {
        Candidate candidate = target.candidate(now, pool.ejection());
        if (candidate.share() > 0 && !tried.contains(target.id())) {
          able.add(target);
          candidates.add(candidate);
        }
      }
      if (able.isEmpty()) {
        return Optional.empty();
      }
      Target chosen = able.get(pool.routing().choose(candidates, key, chance));
      if (chosen.begin(now, pool.ejection())) {
        return Optional.of(chosen);
      }
      tried.add(chosen.id()); // its probe is somebody else's
    }
  }

  /** Whether there is one that may be asked now. */
  boolean isReady() {
    return isReadyBut(Set.of());
  }

  /** How many requests may be begun: those that are only probed get one each. */
  int room() {
    long now = monotonic.nanos();
    int probes = 0;
    for (Target target : all()) {
      if (!target.isEjected()) {
        return Integer.MAX_VALUE;
      }
      if (target.candidate(now, pool.ejection()).share() > 0) {
        probes++;
      }
    }
    return probes;
  }

  /** Whether there is one beside these. */
  boolean isReadyBut(Set<String> without) {
    long now = monotonic.nanos();
    return all().stream()
        .filter(target -> !without.contains(target.id()))
        .anyMatch(target -> target.candidate(now, pool.ejection()).share() > 0);
  }

  /** Everyone, also those that are left out. */
  synchronized List<Target> all() {
    if (stale) {
      stale = false;
      look();
    }
    return List.copyOf(targets.values());
  }

  /** Everyone, and those that nothing is pushed to. */
  List<Sight> sights() {
    List<Sight> sights = new ArrayList<>();
    for (Target target : all()) {
      sights.add(new Sight(target.id(), target.isEjected(), ""));
    }
    synchronized (this) {
      places.values().forEach(place -> sights.addAll(place.excluded()));
    }
    return sights;
  }

  Pool pool() {
    return pool;
  }

  @Override
  public void close() {
    List<Place> gone;
    synchronized (this) {
      gone = List.copyOf(places.values());
      places.clear();
      targets = new LinkedHashMap<>();
    }
    gone.forEach(Place::close);
  }
}
