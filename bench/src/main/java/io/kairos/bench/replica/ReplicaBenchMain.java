package io.kairos.bench.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.TickEvaluation;
import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.CronReplica;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.cron.entry.TableSettings;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.PeerReport;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.StateMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a replica's process: the log, and on it a bare counter, or a cron as in
 * production but without its edges. Executes the lines of its standard input, answers each, and
 * ends with it.
 */
public final class ReplicaBenchMain {
  /** The first of those that put entries in; those that count begin at 0. */
  private static final long PUTTING_CLIENT = 1_000_000;

  private static final int PUTTING_CLIENTS = 64;

  /** Standard output, which nothing else is to write to. */
  private static final PrintStream ANSWERS = System.out;

  private final CounterMachine counter = new CounterMachine();
  private final @Nullable CronReplica cron;
  private final ReplicatedLog log;
  private final ClosedLoop load;
  private final PacedRequests paced;

  /** Ticks under this one are not looked for. */
  private volatile int formerLeader;

  private volatile long tickedAtNanos;
  private volatile String restored = "0 0";

  /** Null until the log is open. */
  private volatile @Nullable ReplicatedLog opened;

  private ReplicaBenchMain(ReplicaSettings settings) {
    EntryBook book = new EntryBook(List.of(new CountingModule()));
    cron = settings.kind() == Kind.CRON ? cron(book, settings.group()) : null;
    log =
        settings.open(new Observed(cron == null ? counter : cron.machine()), ReplicaBenchMain::end);
    opened = log;
    (cron == null ? log.steps() : cron.on(log).steps()).forEach(ReplicaBenchMain::turn);
    byte[] count = CountingModule.request().encode();
    byte[] command = cron == null ? count : new LogCommand.Request(count).encode();
    load = new ClosedLoop(log, () -> command);
    paced = new PacedRequests(log, command);
  }

  private static void end(Object broken) {
    System.err.println("broken " + broken);
    Runtime.getRuntime().halt(1);
  }

  private static void refuse(Effect effect, Consumer<EffectSink.Answer> answered) {
    throw new IllegalStateException("no entry wants anything of the outside: " + effect.id());
  }

  public static void main(String[] args) throws IOException {
    System.setOut(System.err);
    ReplicaBenchMain replica =
        new ReplicaBenchMain(BenchProcess.settings(args, ReplicaSettings.class));
    say("open");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      replica.obey(line.split(" ", -1));
    }
    Runtime.getRuntime().halt(0);
  }

  private CronReplica cron(EntryBook book, ReplicaGroup group) {
    return CronReplica.of(
            new CronMachine.Config(group),
            book,
            new CronReplica.Local(System::nanoTime, Clock.systemUTC(), new SplittableRandom()))
        .listeners(CronListener.NONE, new Watch())
        .effects(ReplicaBenchMain::refuse)
        .build();
  }

  private void obey(String[] words) {
    switch (words[0]) {
      case "table" -> {
        TableSettings settings = new TableSettings(CountingModule.COMPONENT, millis(words[1]));
        have(1, _ -> new BookCommand.PutTable(settings));
      }
      case "put" -> {
        int first = Integer.parseInt(words[1]);
        Duration period = millis(words[3]);
        have(Integer.parseInt(words[2]), number -> CountingModule.put(first + number, period));
      }
      case "load" -> {
        log.post(() ->
            load.start(
                Long.parseLong(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3])));
        say("begun");
      }
      case "acknowledgements" -> log.post(() -> say(words(load.acknowledgedOf())));
      case "executions" -> log.post(() -> say(words(executions(words))));
      case "forkers" ->
          say("" + log.peerReport().map(PeerReport::forkers).map(List::size).orElse(0));
      case "pace" ->
          paced.start(
              Long.parseLong(words[1]),
              millis(words[2]),
              Integer.parseInt(words[3]),
              micros -> say(words(micros)));
      case "acknowledged" -> say("" + load.acknowledged());
      case "end" -> log.post(() -> load.end(() -> say("" + load.acknowledged())));
      case "where" -> say("" + log.sequence());
      case "state" -> log.post(() -> say(state()));
      case "leader" -> say("" + leader());
      case "watch" -> {
        formerLeader = Integer.parseInt(words[1]);
        tickedAtNanos = 0;
        say("watched");
      }
      case "ticked" -> say("" + tickedAtNanos);
      case "restored" -> say(restored);
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  /** The last request of each of so many clients that was executed here. */
  private List<Long> executions(String[] words) {
    long first = Long.parseLong(words[1]);
    return LongStream.range(first, first + Long.parseLong(words[2]))
        .mapToObj(client -> log.lastRequest(new ClientId(client)))
        .toList();
  }

  private static String words(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static Duration millis(String word) {
    return Duration.ofMillis(Long.parseLong(word));
  }

  /**
   * Has commands executed, by several clients at once, and then says how many entries there are.
   */
  private void have(int count, IntFunction<BookCommand> commands) {
    CronMachine machine = requireNonNull(cron, "a bare counter has no tables").machine();
    PrimitiveIterator.OfInt numbers = IntStream.range(0, count).iterator();
    ClosedLoop loop =
        new ClosedLoop(
            log, () -> new LogCommand.Request(commands.apply(numbers.nextInt()).encode()).encode());
    log.post(() -> {
      loop.start(PUTTING_CLIENT, PUTTING_CLIENTS, count);
      loop.whenEnded(() -> say("" + machine.tables().entryCount()));
    });
  }

  /** Sequence, requests that were counted, actions that ran, digest. */
  private String state() {
    CronMachine machine = cron == null ? null : cron.machine();
    return machine == null
        ? "%d %d 0 %s".formatted(log.sequence(), counter.count(), hex(counter.digest()))
        : "%d %d %d %s"
            .formatted(
                log.sequence(),
                CountingModule.requests(machine.pages()),
                CountingModule.fires(machine.pages()),
                hex(machine.digest()));
  }

  private static String hex(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }

  /** Number of the leader, as far as this replica knows; -1 for none. */
  private int leader() {
    ReplicatedLog open = opened;
    return open == null ? -1 : open.leader().map(ReplicaId::number).orElse(-1);
  }

  /** Looks for the first tick that evaluates under a new leader. */
  private final class Watch implements TickListener {
    @Override
    public void evaluated(Tick tick, TickEvaluation evaluation) {
      int leader = leader();
      if (tickedAtNanos == 0 && leader >= 0 && leader != formerLeader) {
        tickedAtNanos = System.nanoTime();
      }
    }
  }

  /** Remembers when the whole state was replaced. */
  private final class Observed implements StateMachine {
    private final StateMachine machine;

    private Observed(StateMachine machine) {
      this.machine = machine;
    }

    @Override
    public byte[] execute(OrderedRequest request) {
      return machine.execute(request);
    }

    @Override
    public byte[] snapshot() {
      return machine.snapshot();
    }

    @Override
    public void restore(byte[] snapshot) {
      machine.restore(snapshot);
      restored = System.nanoTime() + " " + snapshot.length;
    }

    @Override
    public byte[] digest() {
      return machine.digest();
    }
  }

  private static void turn(Step step) {
    Thread.ofPlatform()
        .name(step.name())
        .daemon()
        .start(() -> {
          while (true) {
            LockSupport.parkNanos(step.runOnce().after().toNanos());
          }
        });
  }

  private static void say(String line) {
    ANSWERS.println(line);
    ANSWERS.flush();
  }
}
