package io.kairos.server.wiring.command;

import io.kairos.server.config.DocumentedSetting;
import io.kairos.server.config.SettingSources;
import io.kairos.server.config.SettingsListing;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.config.SettingsSchema;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ReplicaConfig;
import io.kairos.server.wiring.ServerConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kairos config}: shows the settings that a node would use, and starts nothing. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description =
        "Checks the configuration and prints every key with its value and, unless it is the default, where it comes from. Secrets are masked.")
public final class ConfigCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description = "Writes the reference of all keys and their defaults to this file instead.")
  private @Nullable Path markdown;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "Writes a JSON Schema of the YAML file, for editors, to this file instead.")
  private @Nullable Path schema;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (markdown != null || schema != null) {
      write(out, markdown, reference());
      write(out, schema, schema());
    } else {
      SettingsReader settings = new SettingsReader(options.sources(System.getenv()));
      var _ = ServerConfig.read(settings);
      out.print(SettingsListing.effective(settings.effective()));
    }
    out.flush();
    return ExitCode.OK;
  }

  static void write(PrintWriter out, @Nullable Path file, String text) throws IOException {
    if (file != null) {
      Files.writeString(file, text);
      out.println("wrote " + file);
    }
  }

  /** The page {@code docs/configuration.md}. */
  public static String reference() {
    return SettingsListing.reference(
        documented(),
        ReplicaConfig.documented().stream()
            .filter(setting -> setting.key().startsWith("replica."))
            .toList());
  }

  /** The file {@code docs/kairos.schema.json}. */
  static String schema() {
    return SettingsSchema.of("Settings of a Kairos node", documented());
  }

  private static List<DocumentedSetting> documented() {
    SettingsReader settings = new SettingsReader(SettingSources.none());
    var _ = ServerConfig.read(settings);
    return settings.documented();
  }
}
