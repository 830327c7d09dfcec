package io.kairos.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.cli.command.AnswerCommand;
import io.kairos.cli.option.ConfirmOptions;
import io.kairos.cli.option.PayloadOptions;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.TextTable;
import io.kairos.client.KairosClient;
import io.kairos.client.route.DeadLetterQuery;
import io.kairos.client.route.DeadLetterView;
import io.kairos.client.route.Republication;
import io.kairos.client.route.RouteStatus;
import io.kairos.client.route.RouteStatus.TroubledLane;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kairos routes}: the routes of the delay queue and their dead letters. */
@Command(
    name = "routes",
    addMethodSubcommands = false,
    description = {
      "Shows the routes of the delay queue, of all nodes together: what waits, how far input"
          + " topics are read, and output partitions that are dead or slow.",
      "Shows dead letters of a route, and publishes them again: docs/delay-queue.md."
    },
    footer = {
      "",
      "  kairos routes dead-letters default --reason missing-id",
      "  kairos routes republish default 0 17 --header kairos-id=order-7"
    })
final class RoutesCommand extends AnswerCommand {
  /** Without another command: lists the routes. */
  @Override
  public void run() {
    var _ = show(KairosClient::routes, RoutesCommand::table);
  }

  @Command(name = "list", description = "Lists the routes, as \"kairos routes\" does.")
  int list(@Mixin WatchOptions watch) {
    return show(watch, KairosClient::routes, RoutesCommand::table);
  }

  private static String table(List<RouteStatus> routes) {
    String table =
        TextTable.of(routes)
            .column("ROUTE", RouteStatus::name)
            .column("SERVED", route -> route.isServed() ? "yes" : "no")
            .column("INPUT", route -> orDash(route.input()))
            .column("OUTPUT", route -> orDash(route.output()))
            .column("DEAD LETTERS", route -> orDash(route.deadLetters()))
            .column(
                "WAITING",
                route -> (route.isEstimated() ? "about " : "") + "%,d".formatted(route.waiting()))
            .column("LAG", route -> route.inputs().isEmpty() ? null : "%,d".formatted(route.lag()))
            .column("TAKEN OVER", RouteStatus::takenOver)
            .toString();
    List<TroubledLane> lanes =
        routes.stream().flatMap(route -> route.lanes().stream()).distinct().toList();
    return lanes.isEmpty()
        ? table
        : table
            + "\n\n"
            + TextTable.of(lanes)
                .column("OUTPUT", TroubledLane::topic)
                .column("PARTITION", lane -> lane.partition() < 0 ? null : lane.partition())
                .column("NODE", TroubledLane::node)
                .column("DUE", TroubledLane::queued)
                .column("TROUBLE", TroubledLane::trouble);
  }

  private static @Nullable String orDash(String text) {
    return text.isEmpty() ? null : text;
  }

  @Command(
      name = "dead-letters",
      description = {
        "Lists dead letters of a route, the latest first, from its dead-letter topic.",
        "With -o json also keys, headers and the beginnings of values, in base64."
      })
  int deadLetters(
      @Parameters(paramLabel = "ROUTE") String route,
      @Option(
              names = "--reason",
              defaultValue = "",
              description = "Only letters with this reason, such as missing-id.")
          String reason,
      @Option(
              names = "--fingerprint",
              defaultValue = "",
              description = "Only letters with this fingerprint.")
          String fingerprint,
      @Option(
              names = "--value-bytes",
              paramLabel = "BYTES",
              defaultValue = "0",
              description = "Bytes of each value to show with -o json, at most 4096.")
          int valueBytes,
      @Option(names = "--limit", defaultValue = "20", description = AnswerText.LIMIT) int limit,
      @Mixin WatchOptions watch) {
    DeadLetterQuery query = new DeadLetterQuery(route, reason, fingerprint, valueBytes, limit);
    return show(watch, client -> client.deadLetters(query), RoutesCommand::letters);
  }

  private static TextTable<DeadLetterView> letters(List<DeadLetterView> letters) {
    return TextTable.of(letters)
        .column("PARTITION", DeadLetterView::partition)
        .column("OFFSET", DeadLetterView::offset)
        .column("PARKED", DeadLetterView::at)
        .column("REASON", DeadLetterView::reason)
        .column("FROM", DeadLetterView::source)
        .column("BYTES", letter -> letter.valueBytes() < 0 ? null : letter.valueBytes())
        .column("WHY", letter -> AnswerText.firstLine(letter.detail()));
  }

  @Command(
      name = "republish",
      description = {
        "Publishes a dead letter to the input topic of its route again, as it was or corrected.",
        "Refused for a record that would become a dead letter again, with the reason."
      })
  int republish(
      @Parameters(paramLabel = "ROUTE") String route,
      @Parameters(paramLabel = "PARTITION", description = "Its partition on the dead-letter topic.")
          int partition,
      @Parameters(paramLabel = "OFFSET", description = "Its offset on the dead-letter topic.")
          long offset,
      @Option(names = "--at", description = "Another due time, such as 2026-12-24T18:00:00Z.")
          @Nullable Instant at,
      @ArgGroup @Nullable PayloadOptions value,
      @Option(
              names = "--header",
              paramLabel = "NAME=VALUE",
              description =
                  "A header in place of all of its name, as UTF-8; also those that begin with"
                      + " kairos-. May be repeated.")
          @Nullable Map<String, String> headers,
      @Option(
              names = "--without-header",
              paramLabel = "NAME",
              description = "Leaves out the headers of this name. May be repeated.")
          @Nullable List<String> without,
      @Option(
              names = "--again",
              description =
                  "Also if it was published again before: its message may then be sent twice.")
          boolean again,
      @Mixin ConfirmOptions confirmation)
      throws IOException {
    Republication letter =
        Republication.of(route, partition, offset)
            .runAt(at)
            .value(value == null ? null : PayloadOptions.bytes(value))
            .again(again);
    for (Map.Entry<String, String> header :
        (headers == null ? Map.<String, String>of() : headers).entrySet()) {
      letter = letter.header(header.getKey(), header.getValue().getBytes(UTF_8));
    }
    for (String name : without == null ? List.<String>of() : without) {
      letter = letter.withoutHeader(name);
    }
    confirm(
        confirmation,
        "Publish the dead letter at partition %d, offset %d of the route %s again?"
            .formatted(partition, offset, route));
    Republication whole = letter;
    return show(
        client -> client.republish(whole),
        published ->
            "published: partition %d, offset %,d"
                .formatted(published.partition(), published.offset()));
  }
}
