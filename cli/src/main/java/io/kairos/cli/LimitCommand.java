package io.kairos.cli;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.queue.KeyLimit;
import io.kairos.client.queue.LimitUse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos limit ...}: shows and sets limits by key. */
@Command(
    name = "limit",
    description = {
      "Shows and sets limits by key, such as of an external API or a tenant: how many tasks that",
      "name it run at a time, or begin per second, over all handlers and nodes."
    })
final class LimitCommand extends AnswerCommand {
  private static final String NAME = "Name, or the beginning of names and a star, as in tenant:*.";

  @Command(name = "list", description = "Lists the limits with their use.")
  int list(@Mixin WatchOptions watch) {
    return show(watch, client -> client.limits().list(), LimitCommand::table);
  }

  private static TextTable<KeyLimit> table(List<KeyLimit> limits) {
    return TextTable.of(limits)
        .column("NAME", KeyLimit::name)
        .column("MOST", limit -> words(limit.maxRunning()))
        .column("RUNNING", KeyLimit::running)
        .column("PER SECOND", limit -> words(limit.perSecond()))
        .column("BURST", limit -> words(limit.burst()))
        .column("WAITING", KeyLimit::waiting)
        .column("NAMES", KeyLimit::names);
  }

  private static String words(@Nullable Object number) {
    return number == null ? "" : number.toString();
  }

  @Command(
      name = "set",
      description = {
        "Sets a limit for all nodes, or replaces the one of this name or pattern. Each name that",
        "fits a pattern has a limit of its own."
      })
  int set(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--max-running", description = "Maximum number of concurrent tasks.")
          @Nullable Integer maxRunning,
      @Option(names = "--rate", description = "Maximum number of tasks that begin per second.")
          @Nullable Double rate,
      @Option(
              names = "--burst",
              description = "Tasks that may begin at once after a pause (default: the rate).")
          @Nullable Integer burst) {
    return show(
        client -> client.limits().set(KeyLimit.of(name, maxRunning, rate, burst)),
        limit -> limit.name() + ": limited");
  }

  @Command(
      name = "show",
      description = "Lists names that were lately used and for which a limit holds.")
  int uses(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--limit", defaultValue = "100", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    return show(watch, client -> client.limits().uses(name, limit), LimitCommand::uses);
  }

  private static TextTable<LimitUse> uses(List<LimitUse> uses) {
    return TextTable.of(uses)
        .column("NAME", LimitUse::name)
        .column("RUNNING", LimitUse::running)
        .column("WAITING", LimitUse::waiting)
        .column("TOKENS", use -> words(use.tokens()));
  }

  @Command(name = "remove", description = "Removes a limit: tasks that wait for it begin.")
  int remove(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Mixin ConfirmOptions confirmation) {
    confirm(confirmation, "Remove the limit %s? Tasks that wait for it begin.".formatted(name));
    return tell(client -> client.limits().remove(name), name + ": no limit any more");
  }
}
