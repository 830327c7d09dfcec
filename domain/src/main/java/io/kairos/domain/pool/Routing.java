package io.kairos.domain.pool;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Which endpoint of a pool gets a request (PH-27, PH-28). */
public enum Routing {
  /** Any, each by its share. */
  RANDOM,
  /** The one with the fewest requests under way. */
  LEAST_LOADED,
  /** The one that would answer first, by its load and how long it took lately. */
  FASTEST,
  /** For each ordering key the same one as long as it serves, by rendezvous hashing. */
  STICKY;

  /**
   * An endpoint that may be chosen.
   *
   * @param id what it is hashed by
   * @param share greater than 0, at most 1
   * @param inFlight requests under way
   * @param tookNanos how long it took lately; 0 when nothing is known
   */
  public record Candidate(String id, double share, int inFlight, double tookNanos) {}

  /**
   * Chooses one.
   *
   * @param candidates not empty
   * @param key null for none: then a sticky pool chooses like a random one
   */
  public int choose(List<Candidate> candidates, @Nullable String key, RandomGenerator chance) {
    return switch (this) {
      case RANDOM -> random(candidates, chance);
      case LEAST_LOADED -> least(candidates, one -> (one.inFlight + 1) / one.share, chance);
      case FASTEST -> least(candidates, wait(candidates), chance);
      case STICKY ->
          key == null ? random(candidates, chance) : least(candidates, distance(key), chance);
    };
  }

  /** Of whom nothing is known is as fast as the fastest, so that only its load speaks for it. */
  private static ToDoubleFunction<Candidate> wait(List<Candidate> candidates) {
    double fastest =
        candidates.stream()
            .mapToDouble(Candidate::tookNanos)
            .filter(took -> took > 0)
            .min()
            .orElse(1);
    return one -> (one.inFlight + 1) * (one.tookNanos > 0 ? one.tookNanos : fastest) / one.share;
  }

  private static int random(List<Candidate> candidates, RandomGenerator chance) {
    double left = chance.nextDouble() * candidates.stream().mapToDouble(Candidate::share).sum();
    for (int i = 0; i < candidates.size() - 1; i++) {
      left -= candidates.get(i).share;
      if (left < 0) {
        return i;
      }
    }
    return candidates.size() - 1;
  }

  /** Of several that are least any, so that idle endpoints take turns. */
  private static int least(
      List<Candidate> candidates, ToDoubleFunction<Candidate> cost, RandomGenerator chance) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    int equals = 0;
    for (int i = 0; i < candidates.size(); i++) {
      double mine = cost.applyAsDouble(candidates.get(i));
      if (mine < least) {
        best = i;
        least = mine;
        equals = 1;
      } else if (mine == least && chance.nextInt(++equals) == 0) {
        best = i;
      }
    }
    return best;
  }

  /**
   * Weighted rendezvous hashing (Schindelhauer and Schomaker 2005): when a share grows, keys only
   * move to that endpoint, and when one leaves only its keys move.
   */
  private static ToDoubleFunction<Candidate> distance(String key) {
    return one -> -Math.log(uniform(key, one.id)) / one.share;
  }

  /** Greater than 0 and less than 1. */
  private static double uniform(String key, String id) {
    long hash = 0xcbf29ce484222325L;
    for (byte one : (id + '\n' + key).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (one & 0xff)) * 0x100000001b3L;
    }
    // FNV-1a, mixed as in SplitMix64: the last letters would move only the low bits.
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    hash ^= hash >>> 31;
    return ((hash >>> 11) + 0.5) * 0x1.0p-53;
  }
}
