package io.kairos.domain.pool;

import io.kairos.domain.check.HashFunction;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The choice of an endpoint for a request. */
public enum EndpointRouting {
  /** A random endpoint, each by its share. */
  RANDOM,
  /** The endpoint with the fewest requests under way. */
  LEAST_LOADED,
  /** The endpoint that is expected to answer first, by its load and its recent answer times. */
  FASTEST,
  /** One endpoint for each ordering key as long as it serves, by rendezvous hashing. */
  STICKY,
  /** The endpoint that has had the fewest requests. */
  ROUND_ROBIN;

  /**
   * An endpoint that may be chosen.
   *
   * @param id the text that is hashed
   * @param share greater than 0, at most 1
   * @param inFlight requests under way
   * @param tookNanos the recent answer time; 0 when it is not known
   * @param turns requests that it has had, each divided by its share then; an endpoint that is new
   *     or has come back counts as one that had its last turn with the others
   */
  public record Candidate(String id, double share, int inFlight, double tookNanos, double turns) {}

  /**
   * Chooses a candidate.
   *
   * @param candidates not empty
   * @param key whose requests stick: an ordering key or the name of a schedule; null for none: then
   *     a sticky pool chooses like a random one
   * @return its index
   */
  public int choose(List<Candidate> candidates, @Nullable String key, RandomGenerator chance) {
    return switch (this) {
      case RANDOM -> random(candidates, chance);
      case LEAST_LOADED -> least(candidates, one -> (one.inFlight + 1) / one.share, chance);
      case FASTEST -> least(candidates, wait(candidates), chance);
      case STICKY ->
          key == null ? random(candidates, chance) : least(candidates, distance(key), chance);
      case ROUND_ROBIN -> least(candidates, Candidate::turns, chance);
    };
  }

  /**
   * An endpoint without known answer times counts as fast as the fastest, so that only its load
   * decides.
   */
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

  /** Chooses a random one of several with the least cost, so that idle endpoints take turns. */
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
    return one -> {
      long hash = HashFunction.mixed(HashFunction.fnv(one.id + '\n' + key));
      double uniform = ((hash >>> 11) + 0.5) * 0x1.0p-53; // greater than 0 and less than 1
      return -Math.log(uniform) / one.share;
    };
  }
}
