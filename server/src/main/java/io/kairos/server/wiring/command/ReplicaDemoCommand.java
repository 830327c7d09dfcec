package io.kairos.server.wiring.command;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.ListCronFiresRequest;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.api.v1.Replica;
import io.kairos.embedded.FileTree;
import io.kairos.embedded.LoopbackPort;
import io.kairos.embedded.process.WaitDeadline;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.server.demo.DemoPushReceiver;
import io.kairos.server.demo.DemoReplica;
import io.kairos.server.wiring.ReplicaConfig;
import io.kairos.server.wiring.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code kairos replica demo}: runs three replicas in processes of their own, kills one and wipes
 * the data of another. Reads no configuration.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Runs three replicas, kills the one that leads, wipes another, and shows that the table moves on and all are equal in the end.",
      "Leaves nothing behind. Exits with 0 when they were equal and nothing that fired was lost, else with 1."
    })
final class ReplicaDemoCommand implements Callable<Integer> {
  private static final int REPLICAS = 3;
  private static final long COMPONENT = 1;
  private static final int BEAT = 10;
  private static final Duration TICK = Durations.fromMillis(200);
  private static final java.time.Duration PATIENCE = java.time.Duration.ofMinutes(2);
  private static final java.time.Duration SHOWN_FOR = java.time.Duration.ofSeconds(4);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss.S", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--byzantine",
      description =
          "Runs four replicas with replica.log: hashgraph, of which one attacks the others in every way, and shows what the others saw. Only in a source tree: the liar is in no package.")
  private boolean byzantine;

  private final List<DemoReplica> replicas = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (byzantine) {
      throw new StartException(
          "The replica that lies is in no package: run ./kairos replica demo --byzantine in a source tree.");
    }
    PrintWriter out = spec.commandLine().getOut();
    return DemoRun.of(
        out,
        run -> {
          try (DemoPushReceiver receiver = new DemoPushReceiver()) {
            return run(run, receiver);
          } finally {
            replicas.forEach(DemoReplica::close);
          }
        });
  }

  private boolean run(DemoRun run, DemoPushReceiver receiver)
      throws IOException, InterruptedException {
    run.say("Starting three replicas, each a process, in a folder that is thrown away ...");
    long sinceNanos = System.nanoTime();
    start(run.folder());
    int leader = await("a leader", this::leader);
    run.say("Ready after %.1f s: replica %d leads.", DemoRun.secondsSince(sinceNanos), leader);
    put(receiver.url());
    run.say(
        "Put an entry: every second push once to this program. Each of the three evaluates it, and they agree who asks.%n");
    show(run, receiver);

    run.say("%nKilling replica %d, which leads (kill -9) ...", leader);
    DemoReplica killed = replicas.get(leader);
    DemoReplica witness = replicas.get((leader + 1) % REPLICAS);
    Replica before = await("an answer", witness::look);
    long killedNanos = System.nanoTime();
    killed.kill();
    await("the next tick", () -> witness.look().filter(now -> isLater(now, before)));
    run.say("The next tick was executed %.2f s after the kill.", DemoRun.secondsSince(killedNanos));
    show(run, receiver);

    int wiped = (leader + 2) % REPLICAS;
    run.say("%nStarting replica %d again, and wiping replica %d ...", leader, wiped);
    killed.start();
    await("equal digests", this::equal); // until then the wiped replica may hold the only copy
    replicas.get(wiped).kill();
    FileTree.delete(directories.get(wiped));
    replicas.get(wiped).start();
    Replica equal = await("equal digests", this::equal);
    run.say(
        "All three are equal: after %d requests their digest is %s.",
        equal.getLastCheckpoint().getSequence(), equal.getLastCheckpoint().getDigest());
    show(run, receiver);
    report(run, receiver);
    return true;
  }

  private void start(Path folder) throws IOException {
    List<Integer> ports =
        Stream.generate(LoopbackPort::choose).distinct().limit(2 * REPLICAS).toList();
    List<Integer> logs = ports.subList(0, REPLICAS);
    List<Integer> edges = ports.subList(REPLICAS, ports.size());
    for (int id = 0; id < REPLICAS; id++) {
      Path directory = folder.resolve("replica-" + id);
      directories.add(directory);
      replicas.add(
          new DemoReplica(
              command(id, directory, logs, edges),
              folder.resolve("replica-" + id + ".log"),
              edges.get(id)));
    }
  }

  private static List<String> command(
      int id, Path directory, List<Integer> logs, List<Integer> edges) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString());
    // They load the same classes as the demo, and start sooner from its archive.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.matches("-XX:SharedArchiveFile=.*|-Xlog:.*=off"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            requireNonNull(System.getProperty("java.class.path")),
            Main.class.getName(),
            "replica",
            "--end-with-input",
            "--id=" + id,
            "--peers=" + places(logs),
            "--port=" + edges.get(id),
            "--data-dir=" + directory,
            "--set=replica.cluster=demo",
            "--set=" + ReplicaConfig.EDGES + "=" + places(edges),
            "--set=" + OrderedExecution.Config.DIGEST_EVERY + "=20"));
    return command;
  }

  private static String places(List<Integer> ports) {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  private void put(String url) {
    var calls = replicas.getFirst().calls();
    calls.putCronTable(
        PutCronTableRequest.newBuilder().setComponent(COMPONENT).setTick(TICK).build());
    calls.putCronEntry(
        PutCronEntryRequest.newBuilder()
            .setEntry(
                CronEntry.newBuilder()
                    .setComponent(COMPONENT)
                    .setPosition(BEAT)
                    .setTitle("beat")
                    .setFixedRate(
                        CronEntry.FixedRate.newBuilder().setPeriod(Durations.fromSeconds(1)))
                    .setPush(
                        CronEntry.Push.newBuilder()
                            .setUrl(url)
                            .setContentType("text/plain")
                            .setBody(ByteString.copyFromUtf8("beat"))))
            .build());
  }

  private Optional<Integer> leader() {
    List<Optional<Replica>> seen = replicas.stream().map(DemoReplica::look).toList();
    return seen.stream().allMatch(each -> each.filter(Replica::hasLeader).isPresent())
        ? seen.getFirst().map(Replica::getLeader)
        : Optional.empty();
  }

  private static boolean isLater(Replica now, Replica before) {
    return Timestamps.compare(now.getAgreedTime(), before.getAgreedTime()) > 0;
  }

  /** One of the replicas, once the last checkpoints of all are equal. */
  private Optional<Replica> equal() {
    List<Replica> seen = replicas.stream().flatMap(each -> each.look().stream()).toList();
    return seen.size() == REPLICAS
            && seen.getFirst().hasLastCheckpoint()
            && seen.stream().map(Replica::getLastCheckpoint).distinct().count() == 1
        ? Optional.of(seen.getFirst())
        : Optional.empty();
  }

  /** Shows the state of the replicas once a second for a few seconds. */
  private void show(DemoRun run, DemoPushReceiver receiver) throws InterruptedException {
    long untilNanos = System.nanoTime() + SHOWN_FOR.toNanos();
    while (System.nanoTime() - untilNanos < 0) {
      Thread.sleep(java.time.Duration.ofSeconds(1));
      run.say(
          "  %s | pushes %d",
          replicas.stream()
              .map(each -> each.look().map(ReplicaDemoCommand::line).orElse("replica down"))
              .collect(Collectors.joining(" | ")),
          receiver.distinct());
    }
  }

  private static String line(Replica replica) {
    return "replica %d: %s, %d requests"
        .formatted(
            replica.getNumber(),
            replica.hasAgreedTime() ? clock(replica) : "no agreed time",
            replica.getSequence());
  }

  private static String clock(Replica replica) {
    Timestamp time = replica.getAgreedTime();
    return CLOCK.format(Instant.ofEpochSecond(time.getSeconds(), time.getNanos()));
  }

  private void report(DemoRun run, DemoPushReceiver receiver) throws InterruptedException {
    int fired =
        replicas
            .getFirst()
            .calls()
            .listCronFires(
                ListCronFiresRequest.newBuilder().setComponent(COMPONENT).setLimit(1_000).build())
            .getFiresCount();
    // Entries fire on while this counts, so the pushes of the counted fires are waited for.
    int pushed =
        await(
            "the pushes of all fires",
            () -> Optional.of(receiver.distinct()).filter(count -> count >= fired));
    run.say(
        """

        Fired %d times; %d pushes have come, %d of them more than once (at least once is what a push can promise).

        Where to go next:
          ./kairos replica             a cluster of one to play with, on 127.0.0.1:7171
          ./kairos cron --help         its tables and entries
          docs/replicated-cron.md      several replicas, modules in Java, what holds when
        """,
        fired, pushed, receiver.repeated());
  }

  private static <T> T await(String what, Supplier<Optional<T>> look) throws InterruptedException {
    WaitDeadline deadline = WaitDeadline.in(PATIENCE);
    Optional<T> found = look.get();
    while (found.isEmpty() && !deadline.hasPassed()) {
      deadline.pause();
      found = look.get();
    }
    return found.orElseThrow(
        () -> new StartException("There was no sign of %s within %s.".formatted(what, PATIENCE)));
  }
}
