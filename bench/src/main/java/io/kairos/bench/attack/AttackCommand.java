package io.kairos.bench.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchCommand;
import io.kairos.bench.rig.BenchNodeOptions;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.WorkFolder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench attack}: one attack or all of them, each with a line that says PASS or FAIL. */
@Command(
    name = "attack",
    mixinStandardHelpOptions = true,
    description = {
      "Attacks a packaged node on this machine while a normal client schedules, performs and reads tasks.",
      "Without a name: lists the attacks. Exit code 0: no call of the normal client failed, and no node ended."
    })
public final class AttackCommand extends BenchCommand {
  private static final String NORMAL = "normal";
  private static final String ATTACKER = "attacker";
  private static final Duration MOST_P99 = Duration.ofSeconds(2);
  private static final Duration PERFORMED_WITHIN = Duration.ofSeconds(20);

  private static final List<Attack> ATTACKS =
      List.of(
          attack("unfinished-bodies", "64 bodies of 16 MB that never end", BodyAttacks::unfinished),
          attack(
              "unfinished-calls",
              "800 gRPC calls of 1 MB that never end",
              BodyAttacks::unfinishedCalls),
          attack("slow-bodies", "500 bodies that come a byte a second", BodyAttacks::slow),
          attack(
              "gzip-bombs", "gRPC messages of 18 KB that unpack to 18 MB", BodyAttacks::gzipBombs),
          attack("empty-json", "18 MB of JSON, millions of empty elements", BodyAttacks::emptyJson),
          attack(
              "empty-leases", "600 KB of JSON, 150,000 empty elements", BodyAttacks::emptyLeases),
          attack(
              "empty-protobuf",
              "18 MB of protobuf, millions of empty elements",
              BodyAttacks::emptyProtobuf),
          attack(
              "slow-postgres",
              "1,000 calls at a time with tasks of 1 MB, while Postgres mostly stands still",
              BodyAttacks::slowPostgres),
          attack(
              "idle-connections",
              "2,500 connections that begin TLS and say no more",
              ConnectionAttacks::idle),
          attack("slow-heads", "500 heads that come a byte a second", ConnectionAttacks::slowHeads),
          attack("header-flood", "headers without end", ConnectionAttacks::headerFlood),
          attack(
              "continuation-flood",
              "HTTP/2 CONTINUATION frames without end",
              ConnectionAttacks::continuations),
          attack(
              "rapid-reset", "calls reset as soon as they are sent", ConnectionAttacks::rapidReset),
          attack("pings", "HTTP/2 pings whose answers are not read", ConnectionAttacks::pings),
          attack(
              "unread-answers", "requests whose answers are not read", ConnectionAttacks::unread),
          attack(
              "zero-window",
              "HTTP/2 calls whose answers may not be sent",
              ConnectionAttacks::zeroWindow),
          attack(
              "long-polls",
              "40,000 waits for work with 500 handlers each",
              ConnectionAttacks::waits),
          attack(
              "heartbeat-flood",
              "200 heartbeats at a time, of 1,000 invented leases each",
              StoreAttacks::heartbeats),
          attack(
              "result-flood",
              "1,000 results of one task in each of 200 calls at a time",
              StoreAttacks::results),
          attack("list-flood", "400 lists of tasks at a time", StoreAttacks::lists),
          attack("wrong-tokens", "tokens guessed over 16 connections", CallerAttacks::wrongTokens),
          attack("framing", "bodies whose length is ambiguous", CallerAttacks::framing),
          new Attack(
              "foreign-pages",
              "web pages and proxies at a node without callers",
              false,
              CallerAttacks::pages));

  /** Some seconds leave it hundreds of calls when it is not kept waiting. */
  private static final int LEAST_CALLS = 50;

  /**
   * Something hostile.
   *
   * @param withCallers false for a node that asks for no token
   */
  private record Attack(
      String name, String about, boolean withCallers, Consumer<AttackTarget> body) {}

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Attacks, or all.")
  List<String> names = new ArrayList<>();

  @Option(names = "--duration", defaultValue = "20s", description = "Length of each attack.")
  Duration duration = Duration.ZERO;

  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin BenchNodeOptions node = new BenchNodeOptions();

  private static Attack attack(String name, String about, Consumer<AttackTarget> body) {
    return new Attack(name, about, true, body);
  }

  @Override
  protected int run() throws InterruptedException {
    if (names.isEmpty()) {
      ATTACKS.forEach(attack -> System.out.printf("  %-22s %s%n", attack.name, attack.about));
      return 0;
    }
    boolean passed = true;
    try (WorkFolder folder = place.folder();
        BenchRig rig = new BenchRig(folder, node)) {
      for (Attack attack : chosen()) {
        passed &= withstands(attack, rig);
      }
    }
    return passed ? 0 : 1;
  }

  private List<Attack> chosen() {
    if (names.equals(List.of("all"))) {
      return ATTACKS;
    }
    List<String> known = ATTACKS.stream().map(Attack::name).toList();
    names.forEach(name ->
        require(
            known.contains(name),
            "there is no attack '" + name + "'; there are " + String.join(", ", known)));
    return names.stream().map(name -> ATTACKS.get(known.indexOf(name))).toList();
  }

  /** Attacks a node of its own, so that what one attack leaves behind does not meet the next. */
  private boolean withstands(Attack attack, BenchRig rig) throws InterruptedException {
    progress.say(attack.name + ": " + attack.about);
    for (String caller : List.of(NORMAL, ATTACKER)) {
      node.set(
          "http.callers." + caller + ".token-sha256", attack.withCallers ? hash(caller) : null);
      node.set(
          "http.callers." + caller + ".roles", attack.withCallers ? "submit,read,worker" : null);
    }
    BenchNodeProcess process = rig.startNode();
    int restarts = 0;
    List<String> problems = new ArrayList<>();
    List<String> failures;
    FigureList figures = new FigureList();
    Duration p99;
    try (NormalClient client = warmedUp(process.address());
        AttackTarget target =
            new AttackTarget(process.port(), ATTACKER, rig.postgres(), duration)) {
      Thread attacker =
          Thread.ofPlatform().name("bench-attack").start(() -> attack.body.accept(target));
      while (!target.isOver()) {
        BenchWait.pass(Duration.ofMillis(100));
        if (!process.isRunning()) {
          restarts++;
          rig.replaceNode(process);
          process = rig.nodes().getLast();
        }
      }
      target.end();
      attacker.join();
      long unperformed = client.unperformed(PERFORMED_WITHIN);
      failures = client.failures();
      p99 = client.p99();
      problems.addAll(target.problems());
      note(problems, unperformed == 0, unperformed + " accepted tasks were not performed");
      note(
          problems,
          failures.isEmpty(),
          "calls failed, the first: " + failures.stream().findFirst().orElse(""));
      // A call that hangs has neither failed nor a latency yet.
      note(problems, client.calls() >= LEAST_CALLS, "the normal client hardly got through");
      figures.row("normal client").count("calls", "calls", client.calls());
    }
    restarts += process.isRunning() ? 0 : 1;
    note(problems, restarts == 0, "the node ended");
    note(problems, p99.compareTo(MOST_P99) <= 0, "p99 is above " + MOST_P99);
    long traces = process.isRunning() ? process.stackTraces() : 0;
    note(problems, traces == 0, "the log has lines of stack traces");
    figures
        .count("failed", "failed calls", failures.size())
        .row("p99")
        .add("p99", "", Unit.MILLIS, p99.toNanos() / 1e6)
        .count("restarts", "restarts", restarts)
        .count("traces", "stack trace lines in the log", traces)
        .only("problems", String.join("; ", problems));
    System.out.println(
        (problems.isEmpty() ? "PASS  " : "FAIL  ")
            + attack.name
            + (problems.isEmpty() ? "" : ": " + String.join("; ", problems)));
    show(attack.name, figures);
    rig.nodes().forEach(BenchNodeProcess::close);
    return problems.isEmpty();
  }

  /** Also before the time of the attack begins. */
  private static NormalClient warmedUp(String address) {
    NormalClient client = new NormalClient(address, NORMAL);
    BenchWait.pass(Duration.ofSeconds(5));
    client.reset();
    return client;
  }

  private static void note(List<String> problems, boolean holds, String otherwise) {
    if (!holds) {
      problems.add(otherwise);
    }
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
