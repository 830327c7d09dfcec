package io.kairos.consensus;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.TickStep;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.cron.entry.EntryDefinition;
import io.kairos.engine.cron.entry.EntryState;
import io.kairos.engine.cron.entry.EntryTiming;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.replica.SubmissionResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A replica with the cron machine of production, its log and its ticks, in a process of its own.
 * Arguments as {@link ReplicaMain}'s. Does what the lines on its standard input say, and ends with
 * it.
 */
final class CronReplicaMain {
  private static final ComponentId COMPONENT = new ComponentId(1);
  private static final Duration PERIOD = Duration.ofMillis(40);

  private final AtomicInteger restored = new AtomicInteger();
  private final EntryBook book = new EntryBook(List.of());
  private final CronMachine machine;
  private final RatisLog log;
  private final TicksGenerator ticks;
  private final ClientId client;
  private long requests;

  private CronReplicaMain(RatisConfig config) {
    machine =
        new CronMachine(
            new CronMachine.Config(config.cluster(), true, ClockLimits.PUBLISHED, 1 << 26),
            book,
            CronListener.NONE,
            TickListener.NONE);
    client = new ClientId(config.self().number());
    log = RatisLog.open(config, counting(), broken -> say("broken " + broken));
    ticks = new TicksGenerator(log, machine.rounds(), System::nanoTime, Clock.systemUTC());
    turn(log.resending());
    turn(new TickStep(log, machine, ticks));
  }

  /** The machine, and how often its state was replaced. */
  private StateMachine counting() {
    return new StateMachine() {
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
        restored.incrementAndGet();
      }

      @Override
      public byte[] digest() {
        return machine.digest();
      }
    };
  }

  public static void main(String[] args) throws IOException {
    List<ReplicaAddress> addresses =
        Arrays.stream(args[2].split(",", -1))
            .map(port -> new ReplicaAddress("127.0.0.1", Integer.parseInt(port)))
            .toList();
    CronReplicaMain replica =
        new CronReplicaMain(
            new RatisConfig(
                "crons",
                new ReplicaId(Integer.parseInt(args[0])),
                addresses,
                Path.of(args[1]),
                Optional.empty(),
                OrderedExecution.Config.DEFAULT,
                RatisReplicas.LIMITS));
    say("open");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      replica.obey(line.split(" ", -1));
    }
    Runtime.getRuntime().halt(0);
  }

  private void obey(String[] words) {
    int number = words.length > 1 ? Integer.parseInt(words[1]) : 0;
    switch (words[0]) {
      case "put" ->
          submit(new BookCommand.PutEntry(entry(number), BookCommand.Mode.REPLACE), "put");
      case "remove" -> submit(new BookCommand.RemoveEntry(COMPONENT, number), "remove");
      case "tick" -> {
        ticks.start(COMPONENT, Duration.ofMillis(number));
        say("tick");
      }
      case "fires" -> log.post(() -> say("fires " + fires(number)));
      case "state" -> log.post(() -> say("state " + state()));
      case "leader" -> say("leader " + log.leader().map(ReplicaId::number).orElse(-1));
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private static EntryDefinition entry(int position) {
    return new EntryDefinition(
        COMPONENT,
        position,
        "",
        new EntryTiming.Every(PERIOD),
        new EntryWork.Prune(Duration.ofHours(1)));
  }

  private long fires(int position) {
    return book.find(COMPONENT, position).map(EntryState::fires).orElse(-1L);
  }

  /** Sequence, digest of all pages, how often it was replaced. */
  private String state() {
    return "%d %s %d"
        .formatted(
            log.sequence(), HexFormat.of().formatHex(machine.digest(), 0, 8), restored.get());
  }

  private void submit(BookCommand command, String word) {
    submit(new LogCommand.Request(command.encode()).encode(), ++requests, word);
  }

  private void submit(byte[] bytes, long request, String word) {
    log.submit(
        client,
        request,
        bytes,
        answer -> {
          if (answer instanceof SubmissionResult.Done) {
            say(word);
          } else {
            submit(bytes, request, word);
          }
        });
  }

  private static void turn(Step step) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(step.runOnce().after().toNanos());
          }
        });
  }

  private static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
