package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.api.text.TerminalText;
import io.kairos.cli.option.DurationWord;
import io.kairos.cli.option.HelpOptions;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.KairosException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The command line client of nodes and replicas: {@code kairos task ...}, {@code kairos cron ...}
 * and so on. Exit codes: 0 success, 1 refused or not reached, 2 wrong usage; docs/cli.md lists all.
 */
@Command(
    name = "kairos",
    description = "Calls Kairos nodes and replicas.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:success",
      " 1:refused by the node, an invalid file, or no node was reached",
      " 2:wrong usage"
    })
public final class CliMain {
  private static final int REFUSED = 1;

  private static final List<Class<?>> GROUPS =
      List.of(
          TaskCommand.class,
          ScheduleCommand.class,
          CalendarCommand.class,
          QueueCommand.class,
          DlqCommand.class,
          DelayCommand.class,
          PoolCommand.class,
          CronCommand.class,
          PollCommand.class,
          WorkerCommand.class,
          ImportCommand.class,
          CompletionCommand.class);

  private CliMain() {}

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "io/kairos/cli/cli-logback.xml");
    CommandLine line = commandLine(args);
    PrintWriter out = line.getOut(); // all commands share this writer
    int code = line.execute(args);
    out.flush(); // a line that does not end would be lost with the process
    System.exit(code);
  }

  /**
   * Returns the commands of the group that the first word names, or of all groups when it names
   * none. Building all groups takes a tenth of a second. Also for tests.
   */
  public static CommandLine commandLine(String... words) {
    CommandLine line = new CommandLine(new CliMain());
    List<Class<?>> asked =
        GROUPS.stream()
            .filter(group -> words.length > 0 && nameOf(group).equals(words[0]))
            .toList();
    (asked.isEmpty() ? GROUPS : asked).forEach(line::addSubcommand);
    addHelp(line);
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Duration.class, new DurationWord())
        .setExecutionExceptionHandler((e, command, parsed) -> {
          if (e instanceof KairosException
              || e instanceof IllegalArgumentException
              || e instanceof IOException) {
            command.getErr().println("kairos: " + TerminalText.lines(words(e)));
            return REFUSED;
          }
          throw e;
        });
  }

  /**
   * Adds the help options to all commands. Setting mixinStandardHelpOptions this late would make
   * picocli pass the arguments of command methods in the wrong order.
   */
  private static void addHelp(CommandLine command) {
    command.getCommandSpec().addMixin("help", CommandSpec.forAnnotatedObject(new HelpOptions()));
    command.getSubcommands().values().stream().distinct().forEach(CliMain::addHelp);
  }

  private static String nameOf(Class<?> group) {
    return requireNonNull(group.getAnnotation(Command.class)).name();
  }

  /** Returns the error text, with the position in the expression where the node gives it. */
  static String words(Exception refusal) {
    String message =
        refusal instanceof IOException
            ? "cannot read or write: " + refusal.getMessage()
            : String.valueOf(refusal.getMessage());
    return refusal instanceof InvalidRequestException invalid
        ? message + pointer(invalid.details())
        : message;
  }

  private static String pointer(Map<String, String> details) {
    @Nullable String expression = details.get("expression");
    @Nullable String position = details.get("position");
    if (expression == null || position == null) {
      return "";
    }
    String margin = System.lineSeparator() + "  ";
    return margin + expression + margin + " ".repeat(Integer.parseInt(position)) + "^";
  }
}
