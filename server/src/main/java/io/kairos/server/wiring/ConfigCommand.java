package io.kairos.server.wiring;

import io.kairos.server.config.Listing;
import io.kairos.server.config.Sources;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kairos config}: shows what a node would run with, and starts nothing. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description =
        "Checks the configuration and prints every key with its value and, unless it is the default, where it comes from. Secrets are masked.")
final class ConfigCommand implements Callable<Integer> {
  /** The documentation is the same on every machine. */
  private static final long DOCUMENTED_HEAP = 1L << 30;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description = "Writes the reference of all keys and their defaults to this file instead.")
  private @Nullable Path markdown;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Path page = markdown;
    if (page != null) {
      Files.writeString(page, reference());
      out.println("wrote " + page);
    } else {
      out.print(Listing.effective(ServerConfig.read(options.sources(System.getenv())).effective()));
    }
    out.flush();
    return ExitCode.OK;
  }

  /** The page {@code docs/configuration.md}. */
  static String reference() {
    return Listing.reference(
        ServerConfig.read(Sources.none(), DOCUMENTED_HEAP).effective(),
        ReplicaConfig.read(Sources.none()).effective().stream()
            .filter(setting -> setting.key().startsWith("replica."))
            .toList());
  }
}
