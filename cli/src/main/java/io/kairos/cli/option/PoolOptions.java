package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.client.PoolDefinition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The definition of a pool; options that are not named stay, or get their defaults in a new pool.
 */
public final class PoolOptions {
  @Option(names = "--url", description = "URL of an endpoint; may be repeated.")
  List<String> urls = List.of();

  @Option(
      names = "--dns",
      description = "URL with a host name; each address of the host is an endpoint.")
  @Nullable String dns;

  @Option(names = "--routing", description = "Load balancing: ${COMPLETION-CANDIDATES}.")
  PoolDefinition.@Nullable Routing routing;

  @Option(names = "--health-path", description = "Path of the health check, or none.")
  @Nullable String healthPath;

  @Option(names = "--request-timeout", description = "Timeout of one request.")
  @Nullable Duration requestTimeout;

  @Option(
      names = "--completion-timeout",
      description = "Lease of an attempt that goes on after an answer 202.")
  @Nullable Duration completionTimeout;

  @Option(
      names = "--answers-later",
      arity = "1",
      description = "True when every answer 202 means that the attempt goes on: true or false.")
  @Nullable Boolean answersLater;

  @Option(
      names = "--max-in-flight",
      description = "Maximum number of concurrent requests per node.")
  @Nullable Integer maxInFlight;

  @Option(
      names = "--tls",
      description = "Name of the nodes' credentials for https endpoints (push.tls.NAME), or none.")
  @Nullable String tls;

  public boolean haveEndpoints() {
    return dns != null || !urls.isEmpty();
  }

  public PoolDefinition applyTo(PoolDefinition pool) {
    if (dns != null) {
      pool.resolved(dns);
    } else if (!urls.isEmpty()) {
      pool.listed(urls.toArray(String[]::new));
    }
    ifGiven(routing, pool::routing);
    ifGiven(healthPath, path -> pool.healthPath(path.equals("none") ? "" : path));
    ifGiven(requestTimeout, pool::requestTimeout);
    ifGiven(completionTimeout, pool::completionTimeout);
    ifGiven(answersLater, pool::answersLater);
    ifGiven(maxInFlight, pool::maxInFlight);
    ifGiven(tls, name -> pool.tls(name.equals("none") ? "" : name));
    return pool;
  }
}
