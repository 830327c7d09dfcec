package io.kairos.cli;

import io.kairos.client.PoolDefinition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a pool is to be; what is not named stays, or is as shipped. */
final class PoolOptions {
  @Option(names = "--url", description = "An endpoint; once for each.")
  List<String> urls = List.of();

  @Option(names = "--dns", description = "URL with a name; each of its addresses is an endpoint.")
  @Nullable String dns;

  @Option(
      names = "--routing",
      description = "Which endpoint gets a request: ${COMPLETION-CANDIDATES}.")
  PoolDefinition.@Nullable Routing routing;

  @Option(names = "--health-path", description = "Asked for regularly, or none.")
  @Nullable String healthPath;

  @Option(
      names = "--request-timeout",
      converter = DurationWord.class,
      description = "For one request.")
  @Nullable Duration requestTimeout;

  @Option(
      names = "--completion-timeout",
      converter = DurationWord.class,
      description = "Within which what goes on after an answer 202 must be heard of.")
  @Nullable Duration completionTimeout;

  @Option(
      names = "--answers-later",
      arity = "1",
      description = "Whether every answer 202 means that it goes on: true or false.")
  @Nullable Boolean answersLater;

  @Option(names = "--max-in-flight", description = "Requests under way from one node.")
  @Nullable Integer maxInFlight;

  boolean haveEndpoints() {
    return dns != null || !urls.isEmpty();
  }

  PoolDefinition applyTo(PoolDefinition pool) {
    if (dns != null) {
      pool.resolved(dns);
    } else if (!urls.isEmpty()) {
      pool.listed(urls.toArray(String[]::new));
    }
    if (routing != null) {
      pool.routing(routing);
    }
    if (healthPath != null) {
      pool.healthPath(healthPath.equals("none") ? "" : healthPath);
    }
    if (requestTimeout != null) {
      pool.requestTimeout(requestTimeout);
    }
    if (completionTimeout != null) {
      pool.completionTimeout(completionTimeout);
    }
    if (answersLater != null) {
      pool.answersLater(answersLater);
    }
    if (maxInFlight != null) {
      pool.maxInFlight(maxInFlight);
    }
    return pool;
  }
}
