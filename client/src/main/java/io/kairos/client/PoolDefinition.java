package io.kairos.client;

import com.google.protobuf.FieldMask;
import io.kairos.api.v1.Pool;
import java.time.Duration;
import java.util.List;

/**
 * What a pool is to be: {@code PoolDefinition.of("billing").listed("http://10.0.0.1:8080/jobs")}.
 * For a new pool what is left out is as shipped; for one that exists it stays. The node checks
 * every field and names what it refuses. Not thread-safe.
 */
public final class PoolDefinition {
  private final Pool.Builder wire = Pool.newBuilder();
  private final FieldMask.Builder named = FieldMask.newBuilder();

  /** Which endpoint gets a request. */
  public enum Routing {
    RANDOM,
    /** The one with the fewest requests under way: the default. */
    LEAST_LOADED,
    /** The one that would have answered first, by how long it took lately. */
    FASTEST,
    /** For each ordering key the same one as long as it serves. */
    STICKY
  }

  private PoolDefinition(String name) {
    wire.setName(name);
  }

  /**
   * A pool of this name.
   *
   * @param name 1 to 100 of letters, digits and {@code . _ -}
   */
  public static PoolDefinition of(String name) {
    return new PoolDefinition(name);
  }

  /** Its endpoints are these. */
  public PoolDefinition listed(String... urls) {
    wire.setListed(Pool.EndpointList.newBuilder().addAllUrls(List.of(urls)));
    return name("endpoints");
  }

  /** Its endpoints are all addresses that DNS has for the host of this URL. */
  public PoolDefinition resolved(String url) {
    wire.setResolved(url);
    return name("endpoints");
  }

  /** Its endpoints are workers that {@linkplain PoolClient#register register}. */
  public PoolDefinition registered() {
    wire.setRegistered(Pool.RegisteredEndpoints.getDefaultInstance());
    return name("endpoints");
  }

  public PoolDefinition routing(Routing routing) {
    wire.setRouting(Pool.Routing.valueOf(routing.name()));
    return name("routing");
  }

  /**
   * When an endpoint is left out, and how it returns.
   *
   * @param failures so many in a row
   * @param pause before it is probed
   * @param rampUp over which its share grows when it has returned
   */
  public PoolDefinition ejection(int failures, Duration pause, Duration rampUp) {
    wire.setEjection(
        Pool.Ejection.newBuilder()
            .setFailures(failures)
            .setPause(Protos.duration(pause))
            .setRampUp(Protos.duration(rampUp)));
    return name("ejection");
  }

  /** Asked for regularly; empty for not at all. */
  public PoolDefinition healthPath(String path) {
    wire.setHealthPath(path);
    return name("health_path");
  }

  /** For one request. */
  public PoolDefinition requestTimeout(Duration timeout) {
    wire.setRequestTimeout(Protos.duration(timeout));
    return name("request_timeout");
  }

  /** Within which what goes on after an answer 202 must be heard of. */
  public PoolDefinition completionTimeout(Duration timeout) {
    wire.setCompletionTimeout(Protos.duration(timeout));
    return name("completion_timeout");
  }

  /** Whether every answer 202 means that the attempt goes on. */
  public PoolDefinition answersLater(boolean always) {
    wire.setAnswersLater(always);
    return name("answers_later");
  }

  /** Requests under way from one node. */
  public PoolDefinition maxInFlight(int most) {
    wire.setMaxInFlight(most);
    return name("max_in_flight");
  }

  private PoolDefinition name(String field) {
    named.addPaths(field);
    return this;
  }

  Pool wire() {
    return wire.build();
  }

  FieldMask named() {
    return named.build();
  }
}
