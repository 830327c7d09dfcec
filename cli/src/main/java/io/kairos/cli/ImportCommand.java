package io.kairos.cli;

import io.kairos.cli.imports.CrontabFile;
import io.kairos.cli.imports.DbSchedulerTable;
import io.kairos.cli.imports.NamePattern;
import io.kairos.cli.imports.Naming;
import io.kairos.cli.imports.QuartzTables;
import io.kairos.cli.imports.Reading;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos import ...}: take over the schedules of another system. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = {
      "Takes over the schedules of crontab, Quartz or db-scheduler.",
      "Shows for each its next fire times by the original's rule beside those here, and does not"
          + " store one that differs.",
      "What cannot be taken over is named with the reason. The source is only read. Run it with"
          + " --dry-run first."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:all was imported, or with --dry-run could be",
      " 1:something could not be, or no node was reached",
      " 2:wrong usage"
    })
final class ImportCommand extends NodeCommand {
  ImportCommand() {
    super("Say from where: crontab, quartz or dbscheduler.");
  }

  /** Where the sources do not say it, the zone of this machine. */
  private static ZoneId zone(@Nullable String named) {
    return named == null ? ZoneId.systemDefault() : ZoneId.of(named);
  }

  @Command(
      name = "crontab",
      mixinStandardHelpOptions = true,
      description = {
        "Reads a crontab. The command of a line becomes the payload, a script; a worker that runs"
            + " it:",
        "kairos worker exec --handler crontab -- sh"
      })
  int crontab(
      @Parameters(paramLabel = "FILE", description = "- for standard input: crontab -l | ...")
          String file,
      @Option(
              names = "--system",
              description =
                  "A user stands before each command; taken for granted in /etc/crontab and"
                      + " /etc/cron.d.")
          boolean ofSystem,
      @Option(names = "--zone", description = "Where cron runs; this machine's when left out.")
          @Nullable String zone,
      @Option(
              names = "--name",
              defaultValue = "crontab/{command}",
              description = "Names: {command}, {line}, {user} (default ${DEFAULT-VALUE}).")
          String name,
      @Option(
              names = "--handler",
              defaultValue = "crontab",
              description = "Handlers, with the same places (default ${DEFAULT-VALUE}).")
          String handler,
      @Mixin ImportRun run)
      throws IOException {
    String text = InputFile.text(file);
    boolean system = ofSystem || file.equals("/etc/crontab") || file.startsWith("/etc/cron.d/");
    Instant now = Instant.now();
    Reading read =
        CrontabFile.read(file, text, system, zone(zone), naming(name, handler), now, run.count);
    return run.perform(this, read, now);
  }

  private static Naming naming(String name, String handler) {
    return new Naming(new NamePattern(name), new NamePattern(handler));
  }

  @Command(
      name = "quartz",
      mixinStandardHelpOptions = true,
      description = {
        "Reads the triggers of Quartz from its tables (JobStoreTX): by cron expressions, and simple"
            + " ones.",
        "A misfire instruction becomes a catch-up policy, @DisallowConcurrentExecution the overlap"
            + " buffer_one."
      })
  int quartz(
      @Mixin JdbcOptions jdbc,
      @Option(
              names = "--prefix",
              defaultValue = "QRTZ_",
              description = "Of the tables (default ${DEFAULT-VALUE}).")
          String prefix,
      @Option(names = "--zone", description = "Of triggers without one; this machine's.")
          @Nullable String zone,
      @Option(
              names = "--name",
              defaultValue = "{name}",
              description =
                  "Names: {name}, {trigger}, {group}, {job}, {class} (default ${DEFAULT-VALUE}).")
          String name,
      @Option(
              names = "--handler",
              defaultValue = "{class}",
              description = "Handlers, with the same places (default ${DEFAULT-VALUE}).")
          String handler,
      @Mixin ImportRun run)
      throws IOException, SQLException {
    Instant now = Instant.now();
    Reading read =
        jdbc.read(connection ->
            QuartzTables.read(
                connection, prefix, zone(zone), naming(name, handler), now, run.count));
    return run.perform(this, read, now);
  }

  @Command(
      name = "dbscheduler",
      mixinStandardHelpOptions = true,
      description = {
        "Reads recurring tasks of db-scheduler from its table: those with a persistent schedule as"
            + " JSON.",
        "The rule of a static recurring task stands only in the program; such tasks are named."
      })
  int dbscheduler(
      @Mixin JdbcOptions jdbc,
      @Option(
              names = "--table",
              defaultValue = "scheduled_tasks",
              description = "Its table (default ${DEFAULT-VALUE}).")
          String table,
      @Option(
              names = "--name",
              defaultValue = "{name}",
              description = "Names: {name}, {task}, {instance} (default ${DEFAULT-VALUE}).")
          String name,
      @Option(
              names = "--handler",
              defaultValue = "{task}",
              description = "Handlers, with the same places (default ${DEFAULT-VALUE}).")
          String handler,
      @Mixin ImportRun run)
      throws IOException, SQLException {
    Instant now = Instant.now();
    Reading read =
        jdbc.read(
            connection -> DbSchedulerTable.read(connection, table, naming(name, handler), now));
    return run.perform(this, read, now);
  }
}
