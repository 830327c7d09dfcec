package io.kairos.client;

import com.google.protobuf.FieldMask;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Pool;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The definition of a pool: {@code
 * PoolDefinition.of("billing").listed("http://10.0.0.1:8080/jobs")}. Fields that are left out get
 * their defaults in a new pool, and stay as they are in an existing one. The node validates every
 * field. Not thread-safe.
 */
public final class PoolDefinition {
  private final Pool.Builder wire = Pool.newBuilder();
  private final FieldMask.Builder named = FieldMask.newBuilder();

  /** Load balancing: which endpoint gets a request. */
  public enum Routing {
    RANDOM,
    /** The endpoint with the fewest requests under way; the default. */
    LEAST_LOADED,
    /** The endpoint that is expected to answer first, by its recent response times. */
    FASTEST,
    /**
     * The same endpoint for each ordering key, as long as it serves; for tasks without a key, for
     * each schedule.
     */
    STICKY,
    /** The endpoint that has had the fewest requests. */
    ROUND_ROBIN
  }

  private PoolDefinition(String name) {
    wire.setName(name);
  }

  /**
   * Returns the definition of a pool with this name.
   *
   * @param name 1 to 100 of letters, digits and {@code . _ -}
   */
  public static PoolDefinition of(String name) {
    return new PoolDefinition(name);
  }

  /** Sets the endpoints to these URLs. */
  public PoolDefinition listed(String... urls) {
    return set(
        "endpoints", Pool.EndpointList.newBuilder().addAllUrls(List.of(urls)), wire::setListed);
  }

  /** Sets the endpoints to all addresses that DNS returns for the host of this URL. */
  public PoolDefinition resolved(String url) {
    return set("endpoints", url, wire::setResolved);
  }

  /** Sets the endpoints to those that workers {@linkplain PoolClient#register register}. */
  public PoolDefinition registered() {
    return set("endpoints", Pool.RegisteredEndpoints.getDefaultInstance(), wire::setRegistered);
  }

  public PoolDefinition routing(Routing routing) {
    return set("routing", Pool.Routing.valueOf(routing.name()), wire::setRouting);
  }

  /**
   * Sets when a failing endpoint is ejected, and how it returns.
   *
   * @param failures number of failures in a row that eject an endpoint
   * @param pause time before an ejected endpoint is probed
   * @param rampUp time over which a returned endpoint's share of requests grows to its full share
   */
  public PoolDefinition ejection(int failures, Duration pause, Duration rampUp) {
    Pool.Ejection.Builder ejection =
        Pool.Ejection.newBuilder()
            .setFailures(failures)
            .setPause(ProtoTime.of(pause))
            .setRampUp(ProtoTime.of(rampUp));
    return set("ejection", ejection, wire::setEjection);
  }

  /** Sets the path of the health check; empty for no health check. */
  public PoolDefinition healthPath(String path) {
    return set("health_path", path, wire::setHealthPath);
  }

  /** Sets the timeout of one request. */
  public PoolDefinition requestTimeout(Duration timeout) {
    return set("request_timeout", ProtoTime.of(timeout), wire::setRequestTimeout);
  }

  /**
   * Sets the lease of attempts that go on after an answer 202: they must be completed, failed or
   * extended within it.
   */
  public PoolDefinition completionTimeout(Duration timeout) {
    return set("completion_timeout", ProtoTime.of(timeout), wire::setCompletionTimeout);
  }

  /** True when every answer 202 means that the attempt goes on. */
  public PoolDefinition answersLater(boolean always) {
    return set("answers_later", always, wire::setAnswersLater);
  }

  /** Sets the maximum number of concurrent requests per node. */
  public PoolDefinition maxInFlight(int most) {
    return set("max_in_flight", most, wire::setMaxInFlight);
  }

  /**
   * Sets the name of the credentials with which nodes call the endpoints, as {@code
   * push.tls.<name>.*} of their settings has them; all URLs must be https then. Empty for none.
   */
  public PoolDefinition tls(String name) {
    return set("tls", name, wire::setTls);
  }

  private <T> PoolDefinition set(String field, T value, Consumer<T> setting) {
    named.addPaths(field);
    setting.accept(value);
    return this;
  }

  Pool wire() {
    return wire.build();
  }

  FieldMask named() {
    return named.build();
  }
}
