package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.api.text.TerminalText;
import io.kairos.cli.command.MainCommand;
import io.kairos.cli.cron.CronCommand;
import io.kairos.cli.option.CallOptions;
import io.kairos.cli.option.DurationWord;
import io.kairos.cli.option.HelpOptions;
import io.kairos.cli.option.ZoneName;
import io.kairos.cli.terminal.SystemTerminal;
import io.kairos.cli.terminal.Terminal;
import io.kairos.cli.text.RefusalText;
import io.kairos.client.error.AccessDeniedException;
import io.kairos.client.error.KairosException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The main command of the program {@code kairos}, with its tools: {@code kairos task ...}, {@code
 * kairos cron ...} and so on. They start from a class path of their own, which is short, with
 * {@link #main}; the server adds its commands by {@link #program}. Exit codes: 0 success, 1 refused
 * or not reached, 2 wrong usage; docs/cli.md lists all.
 */
@Command(
    name = "kairos",
    description = "Keeps work until its moment and then hands it over.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:success",
      " 1:refused by the node, an invalid file, or no node was reached",
      " 2:wrong usage"
    })
public final class CliMain implements MainCommand {
  private static final int REFUSED = 1;

  private static final List<Class<?>> GROUPS =
      List.of(
          TaskCommand.class,
          BatchCommand.class,
          ScheduleCommand.class,
          CalendarCommand.class,
          HandlerCommand.class,
          LimitCommand.class,
          DlqCommand.class,
          DelayCommand.class,
          RoutesCommand.class,
          PoolCommand.class,
          AuditCommand.class,
          ClusterCommand.class,
          CronCommand.class,
          PollCommand.class,
          WorkerCommand.class,
          WorkersCommand.class,
          ImportCommand.class,
          ContextCommand.class,
          CompletionCommand.class,
          ManCommand.class,
          VersionCommand.class);

  /** Commands that print something for each command. */
  private static final Set<String> ABOUT_ALL = Set.of("completion", "man");

  private final Terminal terminal;
  @Mixin private CallOptions calls;

  private CliMain(Map<String, String> environment, Terminal terminal) {
    calls = new CallOptions(environment);
    this.terminal = terminal;
  }

  @Override
  public CallOptions calls() {
    return calls;
  }

  @Override
  public Terminal terminal() {
    return terminal;
  }

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "io/kairos/cli/cli-logback.xml");
    System.exit(execute(commandLine(args), args));
  }

  /** Executes the words by the given commands, with all output, and returns the exit code. */
  public static int execute(CommandLine commands, String... words) {
    // Unlike the writer of picocli this one knows when nobody reads a pipe any more.
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    int code = commands.setOut(out).execute(words);
    out.flush(); // a line that does not end would be lost with the process
    return code;
  }

  /**
   * Returns the command that the words name, its group when they name none of its commands, or all
   * groups. Building five commands takes a tenth of a second. Also for tests.
   */
  public static CommandLine commandLine(String... words) {
    return program(List.of(), words);
  }

  /**
   * Returns the tools and other commands, of which those that the words name as for {@link
   * #commandLine}.
   *
   * @param others classes of commands that call no node, so that they have no options of calls
   */
  public static CommandLine program(List<Class<?>> others, String... words) {
    return commandLine(System.getenv(), new SystemTerminal(), others, words);
  }

  static CommandLine commandLine(
      Map<String, String> environment, Terminal terminal, String... words) {
    return commandLine(environment, terminal, List.of(), words);
  }

  private static CommandLine commandLine(
      Map<String, String> environment, Terminal terminal, List<Class<?>> others, String... words) {
    CliMain main = new CliMain(environment, terminal);
    CommandLine line = new CommandLine(main);
    List<String> named = commandWords(line.getCommandSpec(), words);
    String command = named.isEmpty() ? "" : named.getFirst();
    List<Class<?>> all = Stream.concat(others.stream(), GROUPS.stream()).toList();
    List<Class<?>> asked =
        ABOUT_ALL.contains(command)
            ? all
            : all.stream().filter(group -> nameOf(group).equals(command)).toList();
    String inGroup = asked.size() == 1 && named.size() > 1 ? named.get(1) : "";
    for (Class<?> group : asked.isEmpty() ? all : asked) {
      line.addSubcommand(group);
      if (!commandOf(group).addMethodSubcommands()) {
        addMethods(requireNonNull(line.getSubcommands().get(nameOf(group))), group, inGroup);
      }
    }
    addHelp(line);
    for (Class<?> other : others) {
      CommandLine nobodyIsCalled = line.getSubcommands().get(nameOf(other));
      if (nobodyIsCalled != null) {
        removeOptionsOfCalls(nobodyIsCalled);
      }
    }
    line.setExecutionStrategy(parsed -> {
      ParseResult given = parsed.subcommand();
      if (given != null && main.calls.isGiven() && calledBy(others, given.commandSpec())) {
        throw new ParameterException(
            given.commandSpec().commandLine(),
            "kairos %s calls no node: --address, --token-file, --context and -o are for commands that do"
                .formatted(given.commandSpec().name()));
      }
      return new CommandLine.RunLast().execute(parsed);
    });
    CommandLine worker = line.getSubcommands().get("worker");
    if (worker != null) { // options behind the program are the program's
      worker.setStopAtPositional(true);
    }
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Duration.class, new DurationWord())
        .registerConverter(ZoneId.class, new ZoneName())
        .setExecutionExceptionHandler((e, failed, parsed) -> {
          if (e instanceof KairosException
              || e instanceof IllegalArgumentException
              || e instanceof IOException
              || e instanceof SQLException
              || e instanceof UncheckedIOException) {
            String hint = e instanceof AccessDeniedException ? main.calls.hint() : "";
            failed
                .getErr()
                .println(
                    "kairos: "
                        + TerminalText.lines(
                            RefusalText.of(e) + (hint.isEmpty() ? "" : "; " + hint)));
            return REFUSED;
          }
          throw e;
        });
  }

  private static boolean calledBy(List<Class<?>> others, CommandSpec command) {
    return others.stream().anyMatch(other -> nameOf(other).equals(command.name()));
  }

  private static void removeOptionsOfCalls(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    List.copyOf(spec.options()).stream().filter(OptionSpec::inherited).forEach(spec::remove);
    command.getSubcommands().values().forEach(CliMain::removeOptionsOfCalls);
  }

  /**
   * Adds the command of a group with this name, or all of them when none has. picocli would always
   * add all.
   */
  private static void addMethods(CommandLine line, Class<?> group, String name) {
    List<Method> all = CommandLine.getCommandMethods(group, null);
    List<Method> asked =
        all.stream().filter(method -> commandOf(method).name().equals(name)).toList();
    for (Method method : asked.isEmpty() ? all : asked) {
      line.addSubcommand(commandOf(method).name(), new CommandLine(method));
    }
  }

  /** Returns the words that are neither options nor their values; help ends them. */
  private static List<String> commandWords(CommandSpec main, String... words) {
    List<String> found = new ArrayList<>();
    Iterator<String> rest = List.of(words).iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      if (HelpOptions.HELP.contains(word)) {
        break; // of the group, which shows all its commands
      }
      if (!word.startsWith("-")) {
        found.add(word);
      } else if (main.findOption(word) != null && rest.hasNext()) {
        rest.next(); // every option of the main command has a value
      }
    }
    return found;
  }

  /**
   * Adds the help options to all commands that lack them, and the version. Setting
   * mixinStandardHelpOptions this late would make picocli pass the arguments of command methods in
   * the wrong order.
   */
  private static void addHelp(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    spec.versionProvider(VersionCommand::lines);
    if (spec.findOption("--help") == null) {
      spec.addMixin("help", CommandSpec.forAnnotatedObject(new HelpOptions()));
    }
    command.getSubcommands().values().stream().distinct().forEach(CliMain::addHelp);
  }

  private static String nameOf(Class<?> group) {
    return commandOf(group).name();
  }

  private static Command commandOf(AnnotatedElement described) {
    return requireNonNull(described.getAnnotation(Command.class));
  }
}
