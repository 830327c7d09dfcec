package io.kairos.cli;

import io.kairos.cli.text.OutputOptions;
import io.kairos.cli.text.Table;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.PoolStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos pool ...}: sets up pools of HTTP endpoints, and shows them. */
@Command(
    name = "pool",
    mixinStandardHelpOptions = true,
    description = "Sets up pools of HTTP endpoints that tasks are pushed to, and shows them.")
final class PoolCommand extends NodeCommand {
  PoolCommand() {
    super(
        "Say what to do: create, change, list, show, delete, rotate-key, register or unregister.");
  }

  private int ask(Consumer<PoolClient> calls) {
    try (KairosClient client = connect()) {
      calls.accept(client.pools());
    }
    return 0;
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Creates a pool and shows its signing secret, which is not shown again.",
        "Without --url and --dns its endpoints are workers that register themselves."
      })
  int create(
      @Parameters(paramLabel = "POOL") String pool,
      @Mixin PoolOptions options,
      @Mixin OutputOptions output) {
    PoolDefinition definition = options.applyTo(PoolDefinition.of(pool));
    if (!options.haveEndpoints()) {
      definition.registered();
    }
    return ask(pools -> secret(pools.create(definition), output));
  }

  private void secret(PoolStatus pool, OutputOptions output) {
    output.print(out(), pool, () -> pool.name() + ": " + pool.secrets().getFirst());
  }

  @Command(
      name = "change",
      mixinStandardHelpOptions = true,
      description = "Changes what is named; all else stays.")
  int change(
      @Parameters(paramLabel = "POOL") String pool,
      @Mixin PoolOptions options,
      @Mixin OutputOptions output) {
    return ask(pools -> show(pools.change(options.applyTo(PoolDefinition.of(pool))), output));
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists pools by name.")
  int list(@Mixin OutputOptions output) {
    return ask(pools -> {
      List<PoolStatus> all = pools.list();
      output.print(out(), all, () -> table(all));
    });
  }

  private static Table table(List<PoolStatus> pools) {
    Table table = new Table("POOL", "ROUTING", "ENDPOINTS", "LEFT OUT");
    for (PoolStatus pool : pools) {
      table.row(
          pool.name(),
          Words.of(pool.routing()),
          pool.endpoints().size(),
          pool.endpoints().stream().filter(one -> !one.isServing()).count());
    }
    return table;
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows a pool with its endpoints as the node sees them.")
  int show(@Parameters(paramLabel = "POOL") String pool, @Mixin OutputOptions output) {
    return ask(pools -> show(pools.get(pool), output));
  }

  private void show(PoolStatus pool, OutputOptions output) {
    output.print(out(), pool, () -> describe(pool));
  }

  private static String describe(PoolStatus pool) {
    List<String> lines = new ArrayList<>();
    lines.add(pool.name());
    lines.add("  routing             " + Words.of(pool.routing()));
    lines.add("  endpoints           " + endpoints(pool));
    lines.add("  request timeout     " + pool.requestTimeout().toMillis() + " ms");
    lines.add("  completion timeout  " + pool.completionTimeout().toSeconds() + " s");
    lines.add("  most in flight      " + pool.maxInFlight());
    pool.endpoints().stream()
        .map(one -> "  " + one.endpoint() + remark(one))
        .sorted()
        .forEach(lines::add);
    return String.join(System.lineSeparator(), lines);
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
      mixinStandardHelpOptions = true,
      description = "Deletes a pool. Its tasks stay, and wait for one of this name.")
  int delete(@Parameters(paramLabel = "POOL") String pool) {
    return ask(pools -> {
      pools.delete(pool);
      out().println(pool + ": deleted");
    });
  }

  @Command(
      name = "rotate-key",
      mixinStandardHelpOptions = true,
      description =
          "Makes a new signing secret and shows it; the former one signs as well for a while.")
  int rotateKey(
      @Parameters(paramLabel = "POOL") String pool,
      @Option(
              names = "--overlap",
              defaultValue = "24h",
              converter = DurationWord.class,
              description = "For how long both sign (default ${DEFAULT-VALUE}).")
          Duration overlap,
      @Mixin OutputOptions output) {
    return ask(pools -> secret(pools.rotateKey(pool, overlap), output));
  }

  @Command(
      name = "register",
      mixinStandardHelpOptions = true,
      description = "Adds an endpoint to a pool of registered ones, or begins its lease anew.")
  int register(
      @Parameters(paramLabel = "POOL") String pool,
      @Parameters(paramLabel = "URL") String url,
      @Option(
              names = "--lease",
              defaultValue = "30s",
              converter = DurationWord.class,
              description = "Until when it must be registered again (default ${DEFAULT-VALUE}).")
          Duration lease) {
    return ask(pools -> {
      pools.register(pool, url, lease);
      out().println(pool + ": " + url);
    });
  }

  @Command(
      name = "unregister",
      mixinStandardHelpOptions = true,
      description = "Takes endpoints away before their lease ends.")
  int unregister(
      @Parameters(paramLabel = "POOL") String pool,
      @Parameters(paramLabel = "URL") List<String> urls) {
    return ask(pools -> urls.forEach(url -> pools.unregister(pool, url)));
  }
}
