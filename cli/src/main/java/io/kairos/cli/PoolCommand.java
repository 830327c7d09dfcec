package io.kairos.cli;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.PoolOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextLines;
import io.kairos.cli.text.TextTable;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.PoolStatus;
import io.kairos.domain.time.DurationText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos pool ...}: configures and shows pools of HTTP endpoints. */
@Command(
    name = "pool",
    addMethodSubcommands = false,
    description = "Configures and shows pools of HTTP endpoints, which tasks are pushed to.")
final class PoolCommand extends AnswerCommand {
  @Command(
      name = "create",
      description = {
        "Creates a pool and shows its signing secret, which is not shown again.",
        "Without --url and --dns, workers register the endpoints."
      })
  int create(@Parameters(paramLabel = "POOL") String pool, @Mixin PoolOptions options) {
    PoolDefinition definition = options.applyTo(PoolDefinition.of(pool));
    if (!options.haveEndpoints()) {
      definition.registered();
    }
    return show(client -> client.pools().create(definition), PoolCommand::secret);
  }

  private static String secret(PoolStatus pool) {
    return pool.name() + ": " + pool.secrets().getFirst();
  }

  @Command(name = "change", description = "Changes the named options of a pool; all others stay.")
  int change(@Parameters(paramLabel = "POOL") String pool, @Mixin PoolOptions options) {
    return show(
        client -> client.pools().change(options.applyTo(PoolDefinition.of(pool))),
        PoolCommand::describe);
  }

  @Command(name = "list", description = "Lists pools by name.")
  int list(@Mixin WatchOptions watch) {
    return show(watch, client -> client.pools().list(this::tellLeftOut), PoolCommand::table);
  }

  private void tellLeftOut(String pool, String reason) {
    spec.commandLine().getErr().printf("left out %s: %s%n", pool, reason);
  }

  private static TextTable<PoolStatus> table(List<PoolStatus> pools) {
    return TextTable.of(pools)
        .column("POOL", PoolStatus::name)
        .column("ROUTING", pool -> AnswerText.of(pool.routing()))
        .column("ENDPOINTS", pool -> pool.endpoints().size())
        .column(
            "LEFT OUT", pool -> pool.endpoints().stream().filter(one -> !one.isServing()).count());
  }

  @Command(name = "show", description = "Shows a pool with its endpoints as the node sees them.")
  int show(@Parameters(paramLabel = "POOL") String pool) {
    return show(client -> client.pools().get(pool), PoolCommand::describe);
  }

  private static String describe(PoolStatus pool) {
    TextLines lines =
        new TextLines()
            .add("", pool.name())
            .add("  routing             ", AnswerText.of(pool.routing()))
            .add("  endpoints           ", endpoints(pool))
            .add("  request timeout     ", pool.requestTimeout().toMillis() + " ms")
            .add("  completion timeout  ", pool.completionTimeout().toSeconds() + " s")
            .add("  most in flight      ", pool.maxInFlight())
            .add("  credentials         ", pool.tls());
    pool.endpoints().stream()
        .map(one -> one.endpoint() + remark(one))
        .sorted()
        .forEach(endpoint -> lines.add("  ", endpoint));
    return lines.toString();
  }

  private static String remark(PoolStatus.Endpoint endpoint) {
    if (endpoint.isServing()) {
      return "";
    }
    return "  left out: " + (endpoint.excluded().isEmpty() ? "it has failed" : endpoint.excluded());
  }

  private static String endpoints(PoolStatus pool) {
    String resolved = pool.resolved();
    if (resolved != null) {
      return "from DNS, " + resolved;
    }
    return pool.listed().isEmpty() ? "register themselves" : String.join(", ", pool.listed());
  }

  @Command(
      name = "delete",
      description = "Deletes a pool. Its tasks stay, and wait for a pool of this name.")
  int delete(@Parameters(paramLabel = "POOL") String pool, @Mixin ConfirmOptions confirmation) {
    confirm(confirmation, "Delete the pool %s?".formatted(pool));
    return tell(client -> client.pools().delete(pool), pool + ": deleted");
  }

  @Command(
      name = "rotate-key",
      description = "Creates and shows a new signing secret; the former stays valid for a while.")
  int rotateKey(
      @Parameters(paramLabel = "POOL") String pool,
      @Option(
              names = "--overlap",
              defaultValue = "24h",
              description = "Time during which both secrets sign (default ${DEFAULT-VALUE}).")
          Duration overlap,
      @Mixin ConfirmOptions confirmation) {
    confirm(
        confirmation,
        "Replace the signing secret of %s? The former ends after %s."
            .formatted(pool, DurationText.of(overlap)));
    return show(client -> client.pools().rotateKey(pool, overlap), PoolCommand::secret);
  }

  @Command(
      name = "register",
      description = "Registers an endpoint of a pool, or extends its lease.")
  int register(
      @Parameters(paramLabel = "POOL") String pool,
      @Parameters(paramLabel = "URL") String url,
      @Option(
              names = "--lease",
              description = "Lease; register again before its end (default: that of the node).")
          @Nullable Duration lease) {
    return tell(client -> client.pools().register(pool, url, lease), pool + ": " + url);
  }

  @Command(name = "unregister", description = "Unregisters endpoints of a pool.")
  int unregister(
      @Parameters(paramLabel = "POOL") String pool,
      @Parameters(paramLabel = "URL") List<String> urls) {
    try (KairosClient client = connect()) {
      urls.forEach(url -> client.pools().unregister(pool, url));
    }
    return 0;
  }
}
