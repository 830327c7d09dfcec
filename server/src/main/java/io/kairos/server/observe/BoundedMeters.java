package io.kairos.server.observe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Meters by a label whose values have no bound: the first {@value #MOST} values have meters of
 * their own, and all others share one. Thread-safe.
 */
final class BoundedMeters<K, M> {
  static final int MOST = 100;

  private final Map<K, M> meters = new ConcurrentHashMap<>();
  private final Function<K, M> fresh;
  private final M others;

  BoundedMeters(Function<K, M> fresh, M others) {
    this.fresh = fresh;
    this.others = others;
  }

  M of(K label) {
    M known = meters.get(label);
    if (known != null) {
      return known;
    }
    return meters.size() < MOST ? meters.computeIfAbsent(label, fresh) : others;
  }
}
