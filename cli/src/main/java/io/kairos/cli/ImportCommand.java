package io.kairos.cli;

import io.kairos.cli.command.NodeCommand;
import io.kairos.cli.imports.CeleryFile;
import io.kairos.cli.imports.CrontabFile;
import io.kairos.cli.imports.DbSchedulerTable;
import io.kairos.cli.imports.ImportSource;
import io.kairos.cli.imports.JobRunrJobs;
import io.kairos.cli.imports.JobRunrTable;
import io.kairos.cli.imports.PgBossJobs;
import io.kairos.cli.imports.PgBossTable;
import io.kairos.cli.imports.QuartzTables;
import io.kairos.cli.imports.RiverJobs;
import io.kairos.cli.imports.SidekiqFile;
import io.kairos.cli.option.InputFile;
import io.kairos.cli.option.JdbcOptions;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos import ...}: imports the schedules, or the jobs that wait, of another system. */
@Command(
    name = "import",
    addMethodSubcommands = false,
    description = {
      "Imports the schedules of crontab, Quartz, db-scheduler, JobRunr, pg-boss, Sidekiq or Celery,"
          + " and the jobs that wait in River, pg-boss or JobRunr.",
      "Compares the next fire times of each schedule in both systems, and does not store a"
          + " schedule whose fire times differ.",
      "What cannot be imported is listed with the reason. The source is only read. Run it with"
          + " --dry-run first."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:everything was imported, or with --dry-run could be",
      " 1:a schedule or job could not be imported, or no node was reached",
      " 2:wrong usage"
    })
final class ImportCommand extends NodeCommand {
  /** The YAML library reads no more than about this either. */
  private static final int MAX_FILE_BYTES = 3 << 20;

  private static final String HANDLERS =
      "Names of the handlers, with the same placeholders (default ${DEFAULT-VALUE}).";

  private static final String PREFIX = "Prefix of the tables, such as a schema with a dot.";

  /** A file of schedules of which some name no time zone. */
  static final class ZonedFile {
    @Parameters(paramLabel = "FILE", description = "- for standard input; at most 3 MiB.")
    String name = "";

    @Option(
        names = "--zone",
        defaultValue = "UTC",
        description = "Time zone of schedules without one (default ${DEFAULT-VALUE}).")
    ZoneId zone = ZoneOffset.UTC;

    private String text() throws IOException {
      return InputFile.text(name, MAX_FILE_BYTES);
    }
  }

  /** Returns the given time zone, or that of this machine. */
  private static ZoneId zone(@Nullable ZoneId named) {
    return named == null ? ZoneId.systemDefault() : named;
  }

  @Command(
      name = "crontab",
      description = {
        "Reads a crontab. The command of a line becomes the payload, a shell script. To run"
            + " these scripts:",
        "kairos worker exec --handler crontab -- sh"
      })
  int crontab(
      @Parameters(
              paramLabel = "FILE",
              description = "- for standard input: crontab -l | ...; at most 3 MiB.")
          String file,
      @Option(
              names = "--system",
              description = "A user precedes each command; default in /etc/crontab, /etc/cron.d.")
          boolean ofSystem,
      @Option(
              names = "--zone",
              description = "Time zone of cron's machine; that of this machine when left out.")
          @Nullable ZoneId zone,
      @Option(
              names = "--name",
              defaultValue = "crontab/{command}",
              description =
                  "Names of schedules: {command}, {line}, {user} are filled in (default ${DEFAULT-VALUE}).")
          String name,
      @Option(names = "--handler", defaultValue = "crontab", description = HANDLERS) String handler,
      @Mixin ImportRun run)
      throws IOException {
    String text = InputFile.text(file, MAX_FILE_BYTES);
    boolean system = ofSystem || file.equals("/etc/crontab") || file.startsWith("/etc/cron.d/");
    ImportSource source = run.source(name, handler);
    CrontabFile.read(file, text, system, zone(zone), source);
    return run.perform(this, source);
  }

  @Command(
      name = "quartz",
      description = {
        "Reads the cron triggers and simple triggers of Quartz from its tables (JobStoreTX).",
        "A misfire instruction becomes a catch-up policy, and @DisallowConcurrentExecution"
            + " the overlap policy buffer_one."
      })
  int quartz(
      @Mixin JdbcOptions jdbc,
      @Option(
              names = "--prefix",
              defaultValue = "QRTZ_",
              description = "Prefix of the tables (default ${DEFAULT-VALUE}).")
          String prefix,
      @Option(
              names = "--zone",
              description = "Time zone of triggers without one (default that of this machine).")
          @Nullable ZoneId zone,
      @Option(
              names = "--name",
              defaultValue = "{name}",
              description =
                  "Names of schedules: {name}, {trigger}, {group}, {job}, {class} are filled in (default ${DEFAULT-VALUE}).")
          String name,
      @Option(names = "--handler", defaultValue = "{class}", description = HANDLERS) String handler,
      @Mixin ImportRun run)
      throws IOException, SQLException {
    ImportSource source = run.source(name, handler);
    QuartzTables tables = new QuartzTables(zone(zone), source);
    jdbc.read(connection -> tables.read(connection, prefix));
    return run.perform(this, source);
  }

  @Command(
      name = "dbscheduler",
      description = {
        "Reads recurring tasks of db-scheduler with a persistent schedule as JSON from its"
            + " table.",
        "Static recurring tasks are listed but not imported, because their rules are only"
            + " in the program."
      })
  int dbscheduler(
      @Mixin JdbcOptions jdbc,
      @Option(
              names = "--table",
              defaultValue = "scheduled_tasks",
              description = "Name of the table (default ${DEFAULT-VALUE}).")
          String table,
      @Option(
              names = "--name",
              defaultValue = "{name}",
              description =
                  "Names of schedules: {name}, {task}, {instance} are filled in (default ${DEFAULT-VALUE}).")
          String name,
      @Option(names = "--handler", defaultValue = "{task}", description = HANDLERS) String handler,
      @Mixin ImportRun run)
      throws IOException, SQLException {
    ImportSource source = run.source(name, handler);
    jdbc.read(connection -> new DbSchedulerTable(source).read(connection, table));
    return run.perform(this, source);
  }

  @Command(
      name = "pgboss",
      description = {
        "Reads the schedules of pg-boss from its table. Their data becomes the payload."
      })
  int pgboss(
      @Mixin JdbcOptions jdbc,
      @Option(
              names = "--schema",
              defaultValue = "pgboss",
              description = "Schema of pg-boss (default ${DEFAULT-VALUE}).")
          String schema,
      @Option(
              names = "--name",
              defaultValue = "{name}",
              description =
                  "Names of schedules: {name}, {queue}, {key} are filled in (default ${DEFAULT-VALUE}).")
          String name,
      @Option(names = "--handler", defaultValue = "{queue}", description = HANDLERS) String handler,
      @Mixin ImportRun run)
      throws IOException, SQLException {
    ImportSource source = run.source(name, handler);
    jdbc.read(connection -> new PgBossTable(source).read(connection, schema));
    return run.perform(this, source);
  }

  @Command(
      name = "pgboss-jobs",
      description = {
        "Schedules the jobs of pg-boss that wait as tasks. Their data becomes the payload.",
        "Stop the workers of pg-boss first. A job that is imported again within a year is the same"
            + " task."
      })
  int pgbossJobs(
      @Mixin JdbcOptions jdbc,
      @Option(
              names = "--schema",
              defaultValue = "pgboss",
              description = "Schema of pg-boss (default ${DEFAULT-VALUE}).")
          String schema,
      @Option(
              names = "--handler",
              defaultValue = "{queue}",
              description = "Names of handlers: {queue} is filled in (default ${DEFAULT-VALUE}).")
          String handler,
      @Mixin ImportJobs run)
      throws IOException, SQLException {
    return run.perform(this, jdbc, schema, new PgBossJobs(handler, Instant.now()));
  }

  @Command(
      name = "river",
      description = {
        "Schedules the jobs of River that wait as tasks. Their args become the payload.",
        "Stop the workers of River first. A job that is imported again within a year is the same"
            + " task."
      })
  int river(
      @Mixin JdbcOptions jdbc,
      @Option(names = "--prefix", defaultValue = "", description = PREFIX) String prefix,
      @Option(
              names = "--handler",
              defaultValue = "{kind}",
              description =
                  "Names of handlers: {kind}, {queue} are filled in (default ${DEFAULT-VALUE}).")
          String handler,
      @Mixin ImportJobs run)
      throws IOException, SQLException {
    return run.perform(this, jdbc, prefix, new RiverJobs(handler));
  }

  @Command(
      name = "jobrunr-jobs",
      description = {
        "Schedules the jobs of JobRunr that are scheduled or enqueued as tasks. Class, method and"
            + " parameters as JSON become the payload.",
        "Stop the background job servers first. A job that is imported again within a year is the"
            + " same task."
      })
  int jobrunrJobs(
      @Mixin JdbcOptions jdbc,
      @Option(names = "--prefix", defaultValue = "", description = PREFIX) String prefix,
      @Option(
              names = "--handler",
              defaultValue = "{class}.{method}",
              description =
                  "Names of handlers: {class}, {method}, {signature} are filled in (default ${DEFAULT-VALUE}).")
          String handler,
      @Mixin ImportJobs run)
      throws IOException, SQLException {
    return run.perform(this, jdbc, prefix, new JobRunrJobs(handler));
  }

  @Command(
      name = "jobrunr",
      description = {
        "Reads the recurring jobs of JobRunr from its table.",
        "The details of a job, with class, method and parameters as JSON, become the payload."
      })
  int jobrunr(
      @Mixin JdbcOptions jdbc,
      @Option(names = "--prefix", defaultValue = "", description = PREFIX) String prefix,
      @Option(
              names = "--name",
              defaultValue = "{id}",
              description =
                  "Names of schedules: {id}, {class}, {method}, {signature} are filled in (default ${DEFAULT-VALUE}).")
          String name,
      @Option(names = "--handler", defaultValue = "{class}.{method}", description = HANDLERS)
          String handler,
      @Mixin ImportRun run)
      throws IOException, SQLException {
    ImportSource source = run.source(name, handler);
    jdbc.read(connection -> new JobRunrTable(source).read(connection, prefix));
    return run.perform(this, source);
  }

  @Command(
      name = "sidekiq",
      description = {
        "Reads the YAML file of sidekiq-cron or sidekiq-scheduler. The arguments become the"
            + " payload, a JSON array."
      })
  int sidekiq(
      @Mixin ZonedFile file,
      @Option(
              names = "--name",
              defaultValue = "{name}",
              description =
                  "Names of schedules: {name}, {class}, {queue} are filled in (default ${DEFAULT-VALUE}).")
          String name,
      @Option(names = "--handler", defaultValue = "{class}", description = HANDLERS) String handler,
      @Mixin ImportRun run)
      throws IOException {
    ImportSource source = run.source(name, handler);
    SidekiqFile.read(file.name, file.text(), file.zone, source);
    return run.perform(this, source);
  }

  @Command(
      name = "celery",
      description = {
        "Reads a beat_schedule of Celery that was printed as JSON or YAML. The arguments become"
            + " the payload, a JSON object with args and kwargs."
      })
  int celery(
      @Mixin ZonedFile file,
      @Option(
              names = "--name",
              defaultValue = "{name}",
              description =
                  "Names of schedules: {name}, {task} are filled in (default ${DEFAULT-VALUE}).")
          String name,
      @Option(names = "--handler", defaultValue = "{task}", description = HANDLERS) String handler,
      @Mixin ImportRun run)
      throws IOException {
    ImportSource source = run.source(name, handler);
    CeleryFile.read(file.name, file.text(), file.zone, source);
    return run.perform(this, source);
  }
}
