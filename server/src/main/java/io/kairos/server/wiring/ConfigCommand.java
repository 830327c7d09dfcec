package io.kairos.server.wiring;

import io.kairos.server.config.Listing;
import io.kairos.server.config.SettingsReader;
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
      SettingsReader settings = new SettingsReader(options.sources(System.getenv()));
      var _ = ServerConfig.read(settings);
      out.print(Listing.effective(settings.effective()));
    }
    out.flush();
    return ExitCode.OK;
  }

  /** The page {@code docs/configuration.md}. */
  static String reference() {
    SettingsReader node = new SettingsReader(Sources.none());
    var _ = ServerConfig.read(node);
    SettingsReader replica = new SettingsReader(Sources.none());
    var _ = ReplicaConfig.read(replica);
    return Listing.reference(
        node.documented(),
        replica.documented().stream()
            .filter(setting -> setting.key().startsWith("replica."))
            .toList());
  }
}
