package io.kairos.domain.pool;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.queue.PoolName;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A set of HTTP endpoints that take pushed tasks, and its settings. Limits, retries and pauses are
 * those of the pool's handler, like any handler's.
 *
 * @param healthPath requested regularly; a healthy endpoint answers 2xx; null for no such check
 * @param requestTimeout bound on one request
 * @param completionTimeout bound on the time until an attempt that goes on after an answer 202 is
 *     completed
 * @param answersLater true if every answer 202 means that the attempt goes on
 * @param maxInFlight bound on requests under way from one node
 * @param tls name of the credentials that nodes use: a CA, a client certificate, or both, from
 *     files of each node; all endpoints must be https then; null for the system's trust and no
 *     certificate
 */
public record Pool(
    PoolName name,
    Endpoints endpoints,
    EndpointRouting routing,
    EndpointEjection ejection,
    @Nullable String healthPath,
    Duration requestTimeout,
    Duration completionTimeout,
    boolean answersLater,
    int maxInFlight,
    @Nullable String tls) {
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);
  public static final Duration DEFAULT_COMPLETION_TIMEOUT = Duration.ofMinutes(15);

  /** How long an endpoint is registered that does not say it. */
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  public static final int DEFAULT_MAX_IN_FLIGHT = 1_000;
  public static final int MOST_IN_FLIGHT = 20_000;
  public static final Duration LONGEST_REQUEST = Duration.ofHours(1);
  public static final Duration LONGEST_COMPLETION = Duration.ofDays(30);

  /** Format of the name of credentials, for messages. */
  public static final String TLS_RULE = "1 to 64 of a-z, 0-9 and -, the first no -";

  /** The rule for URLs of a pool with {@link #tls}, for messages. */
  public static final String TLS_URL_RULE = "https:// in a pool with tls";

  private static final Pattern TLS_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

  /** Most endpoints of one pool. */
  public static final int MOST_ENDPOINTS = 1_000;

  /** The source of a pool's endpoints. */
  public sealed interface Endpoints {
    /** The URLs that the definition has; none when workers register theirs. */
    List<EndpointUrl> urls();

    /** A fixed list of endpoints. */
    record Listed(List<EndpointUrl> urls) implements Endpoints {
      public Listed {
        urls = List.copyOf(urls);
        require(
            !urls.isEmpty() && urls.size() <= MOST_ENDPOINTS, "a pool has 1 to 1,000 endpoints");
      }
    }

    /** All addresses that DNS has for a name; each is an endpoint. */
    record Resolved(EndpointUrl url) implements Endpoints {
      public Resolved {
        require(url.address().isEmpty(), "an address has no others in DNS");
      }

      @Override
      public List<EndpointUrl> urls() {
        return List.of(url);
      }
    }

    /** Endpoints that workers register, each with a lease. */
    record Registered() implements Endpoints {
      @Override
      public List<EndpointUrl> urls() {
        return List.of();
      }
    }
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
    require(tls == null || isTlsName(tls), "the name of credentials must have " + TLS_RULE);
    require(
        tls == null || endpoints.urls().stream().allMatch(EndpointUrl::tls),
        "the URLs must be " + TLS_URL_RULE);
  }

  /** Returns a pool with defaults. */
  public static Pool of(PoolName name, Endpoints endpoints) {
    return new Pool(
        name,
        endpoints,
        EndpointRouting.LEAST_LOADED,
        EndpointEjection.DEFAULT,
        null,
        DEFAULT_REQUEST_TIMEOUT,
        DEFAULT_COMPLETION_TIMEOUT,
        false,
        DEFAULT_MAX_IN_FLIGHT,
        null);
  }

  /** True for a name that credentials may have. */
  public static boolean isTlsName(String text) {
    return TLS_NAME.matcher(text).matches();
  }
}
