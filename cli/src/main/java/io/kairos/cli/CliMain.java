package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.api.text.TerminalText;
import io.kairos.cli.option.CallOptions;
import io.kairos.cli.option.DurationWord;
import io.kairos.cli.option.HelpOptions;
import io.kairos.cli.terminal.SystemTerminal;
import io.kairos.cli.terminal.Terminal;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.KairosException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
          HandlerCommand.class,
          DlqCommand.class,
          DelayCommand.class,
          PoolCommand.class,
          CronCommand.class,
          PollCommand.class,
          WorkerCommand.class,
          ImportCommand.class,
          ContextCommand.class,
          CompletionCommand.class,
          ManCommand.class);

  final Terminal terminal;
  @Mixin CallOptions calls;

  private CliMain(Map<String, String> environment, Terminal terminal) {
    calls = new CallOptions(environment);
    this.terminal = terminal;
  }

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "io/kairos/cli/cli-logback.xml");
    // Unlike the writer of picocli this one knows when nobody reads a pipe any more.
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    int code = commandLine(args).setOut(out).execute(args);
    out.flush(); // a line that does not end would be lost with the process
    System.exit(code);
  }

  /**
   * Returns the commands of the group that the words name, or of all groups when they name none.
   * Building all groups takes a tenth of a second. Also for tests.
   */
  public static CommandLine commandLine(String... words) {
    return commandLine(System.getenv(), new SystemTerminal(), words);
  }

  static CommandLine commandLine(
      Map<String, String> environment, Terminal terminal, String... words) {
    CommandLine line = new CommandLine(new CliMain(environment, terminal));
    String command = firstCommand(line.getCommandSpec(), words);
    List<Class<?>> asked = GROUPS.stream().filter(group -> nameOf(group).equals(command)).toList();
    (asked.isEmpty() ? GROUPS : asked).forEach(line::addSubcommand);
    addHelp(line);
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Duration.class, new DurationWord())
        .setExecutionExceptionHandler((e, failed, parsed) -> {
          if (e instanceof KairosException
              || e instanceof IllegalArgumentException
              || e instanceof IOException
              || e instanceof UncheckedIOException) {
            failed.getErr().println("kairos: " + TerminalText.lines(words(e)));
            return REFUSED;
          }
          throw e;
        });
  }

  /** Returns the first word that is neither an option nor its value; empty when there is none. */
  private static String firstCommand(CommandSpec main, String... words) {
    Iterator<String> rest = List.of(words).iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      if (!word.startsWith("-")) {
        return word;
      }
      if (main.findOption(word) != null && rest.hasNext()) {
        rest.next(); // every option of the main command has a value
      }
    }
    return "";
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
        switch (refusal) {
          case IOException e -> "cannot read or write: " + reason(e);
          case UncheckedIOException e ->
              e.getMessage() + ": " + reason(requireNonNull(e.getCause()));
          default -> String.valueOf(refusal.getMessage());
        };
    return refusal instanceof InvalidRequestException invalid
        ? message + pointer(invalid.details())
        : message;
  }

  private static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> "no such file " + e.getFile();
      case AccessDeniedException e -> "no permission for " + e.getFile();
      default -> String.valueOf(failure.getMessage());
    };
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
