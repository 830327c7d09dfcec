package io.kairos.server.wiring.command;

import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.OperatedSchema;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.UnsafeStoreException;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.wiring.DatabaseChoice;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.ServerConfig;
import io.kairos.server.wiring.StartException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code kairos schema}: the schema of the database, for operators whose nodes may not change it.
 */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    subcommands = {SchemaCommand.Print.class, SchemaCommand.Migrate.class},
    description =
        "Prints the SQL of the schema, or brings a database up to date, for nodes with postgres.migrate: off.")
final class SchemaCommand {
  /** {@code kairos schema print}. */
  @Command(
      name = "print",
      mixinStandardHelpOptions = true,
      description = {
        "Prints the SQL of the migrations, in their order, each with its note in the history by which nodes know the version:",
        "to be read, or to be run in a session whose search_path names the schema.",
        "\"kairos schema migrate\" does the same, takes turns with nodes, and grants what they need."
      })
  static final class Print implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
        names = "--after",
        paramLabel = "VERSION",
        defaultValue = "0",
        description =
            "Prints only what follows this version, as a node names it that refuses to start.")
    private int after;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      String sql = OperatedSchema.sql(after);
      out.print(sql.isEmpty() ? "-- nothing follows version %d%n".formatted(after) : sql);
      out.flush();
      return ExitCode.OK;
    }
  }

  /** {@code kairos schema migrate}. */
  @Command(
      name = "migrate",
      mixinStandardHelpOptions = true,
      description = {
        "Brings the schema of postgres.url up to date as postgres.user, beside nodes that run.",
        "Give the settings of the nodes, with a user who may change the schema. It waits for no table for longer than a second, and for its turn behind another migration."
      })
  static final class Migrate implements Callable<Integer> {
    @Mixin private ConfigOptions options = new ConfigOptions();
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
        names = "--grant-to",
        paramLabel = "ROLE",
        description =
            "Gives this role what nodes need that run as it, and no right to change the schema.")
    private @Nullable String role;

    @Override
    public Integer call() {
      SettingsReader settings = new SettingsReader(options.sources(System.getenv()));
      DatabaseChoice database = ServerConfig.read(settings).postgres();
      if (database.embedded()) {
        throw new StartException(
            "kairos schema migrate is for a database of your own, and postgres.url names none: a node migrates its embedded one by itself.");
      }
      refuseForeignGrants(database.config());
      int version = migrate(database.config());
      PrintWriter out = spec.commandLine().getOut();
      out.println("the schema has version " + version);
      out.flush();
      return ExitCode.OK;
    }

    /** Rights are given on all objects of the schema, so it must have no others. */
    private void refuseForeignGrants(PostgresConfig config) {
      if (role != null && config.schema().name().isEmpty()) {
        throw new StartException(
            "--grant-to needs postgres.schema: in the schema public it would give rights on what is not Kairos', too.");
      }
      if (role != null && role.equals(config.user())) {
        throw new StartException(
            "--grant-to %s names the user that migrates, who has all rights: leave it out."
                .formatted(role));
      }
    }

    private int migrate(PostgresConfig config) {
      try {
        return OperatedSchema.migrate(config, role);
      } catch (UnsafeStoreException | StoreUnavailable e) {
        throw new StartException(e.getMessage() + ".");
      }
    }
  }
}
