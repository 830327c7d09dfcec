package io.kairos.domain.pool;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.PoolName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of HTTP endpoints that take pushed work, and how they are to be used. Limits, retries and
 * pauses are those of the pool's handler, like any handler's.
 *
 * @param healthPath asked for regularly, and answered 2xx by an endpoint that is well; null for
 *     none
 * @param requestTimeout for one request
 * @param completionTimeout within which what goes on after an answer 202 must be heard of
 * @param answersLater whether every answer 202 means that the attempt goes on
 * @param maxInFlight requests under way from one node
 */
public record Pool(
    PoolName name,
    Endpoints endpoints,
    Routing routing,
    Ejection ejection,
    @Nullable String healthPath,
    Duration requestTimeout,
    Duration completionTimeout,
    boolean answersLater,
    int maxInFlight) {
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);
  public static final Duration DEFAULT_COMPLETION_TIMEOUT = Duration.ofMinutes(15);
  public static final int DEFAULT_MAX_IN_FLIGHT = 1_000;
  public static final int MOST_IN_FLIGHT = 20_000;
  public static final Duration LONGEST_REQUEST = Duration.ofHours(1);
  public static final Duration LONGEST_COMPLETION = Duration.ofDays(30);

  /** Most endpoints of one pool. */
  public static final int MOST_ENDPOINTS = 1_000;

  /** Where its endpoints come from. */
  public sealed interface Endpoints {
    /** These and no others. */
    record Listed(List<EndpointUrl> urls) implements Endpoints {
      public Listed {
        urls = List.copyOf(urls);
        if (urls.isEmpty() || urls.size() > MOST_ENDPOINTS) {
          throw new IllegalArgumentException("a pool has 1 to 1,000 endpoints");
        }
      }
    }

    /** All addresses that DNS has for a name, each an endpoint. */
    record Resolved(EndpointUrl url) implements Endpoints {
      public Resolved {
        if (url.address().isPresent()) {
          throw new IllegalArgumentException("an address has no others in DNS");
        }
      }
    }

    /** Workers that say where they are, each for a while. */
    record Registered() implements Endpoints {}
  }

  /** Throws {@link IllegalArgumentException} that says the rule. */
  public Pool {
    requireNonNull(name, "name");
    requireNonNull(endpoints, "endpoints");
    require(
        healthPath == null || PushRequest.isPath(healthPath),
        "the health path must " + PushRequest.PATH);
    require(
        requestTimeout.toMillis() >= 1 && requestTimeout.compareTo(LONGEST_REQUEST) <= 0,
        "the request timeout must be from 1 ms to 1 h");
    require(
        completionTimeout.toMillis() >= 1_000
            && completionTimeout.compareTo(LONGEST_COMPLETION) <= 0,
        "the completion timeout must be from 1 s to 30 days");
    require(
        maxInFlight >= 1 && maxInFlight <= MOST_IN_FLIGHT,
        "requests under way must be 1 to 20,000");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** One with nothing but what it must have. */
  public static Pool of(PoolName name, Endpoints endpoints) {
    return new Pool(
        name,
        endpoints,
        Routing.LEAST_LOADED,
        Ejection.DEFAULT,
        null,
        DEFAULT_REQUEST_TIMEOUT,
        DEFAULT_COMPLETION_TIMEOUT,
        false,
        DEFAULT_MAX_IN_FLIGHT);
  }
}
