package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.CronReplica;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.BookReply;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.cron.entry.EntryDefinition;
import io.kairos.engine.cron.entry.EntryFire;
import io.kairos.engine.cron.entry.EntryTiming;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.engine.cron.entry.TableSettings;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replicas as a program builds them, with a user's module as rule, schedule-next, action and
 * on-remove, through crashes, lost disks, snapshots and a network that loses messages.
 */
class ModuleRulesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final ComponentId TABLE = new ComponentId(4);
  private static final int POSITIONS = 5;

  /** Due every five seconds; counts removals of entries that have fired in the page below. */
  private static final class EveryFiveSeconds implements CronModule {
    private static final long PERIOD_MILLIS = 5_000;
    private static final int REMOVED = 1_000;

    @Override
    public String name() {
      return "every-five-seconds";
    }

    private static long read(ModuleState state, int page) {
      return state.read(page).map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
    }

    private static void write(ModuleState state, int page, long value) {
      state.write(page, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    @Override
    public boolean isDue(EntryTick at, ModuleState state) {
      return at.tick().time() instanceof AgreedTime.At time
          && time.epochMillis() >= read(state, at.position());
    }

    @Override
    public void scheduleNext(EntryTick at, ModuleState state) {
      if (at.tick().time() instanceof AgreedTime.At time) {
        write(state, at.position(), time.epochMillis() + PERIOD_MILLIS);
      }
    }

    @Override
    public void run(Fire fire, ModuleState state, ModuleEffects effects) {}

    @Override
    public void removed(ComponentId component, int position, ModuleState state) {
      if (state.delete(position)) {
        write(state, REMOVED, read(state, REMOVED) + 1);
      }
    }
  }

  /** A replica between a start and an end. */
  private final class Life {
    private final EntryBook book = new EntryBook(List.of(new EveryFiveSeconds()));
    private final CronMachine machine;
    private final ReplicaLog log;
    private boolean isOver;

    Life(ReplicaId self) {
      CronReplica replica =
          CronReplica.of(
                  new CronMachine.Config(sim.cluster),
                  book,
                  new CronReplica.Local(
                      sim.timeline::nowNanos,
                      new ReplicaClock(sim.timeline, random.split()),
                      random.split()))
              .build();
      machine = replica.machine();
      log = sim.open(self, machine);
      replica.on(log).steps().forEach(this::drive);
    }

    private void drive(Step step) {
      if (!isOver) {
        sim.timeline.after(step.runOnce().after().toNanos(), () -> drive(step));
      }
    }

    void end() {
      isOver = true;
      sim.crash(log.self());
    }

    ModuleState state() {
      return new ModuleState("every-five-seconds", machine.pages());
    }

    /** Agreed times at which the entry at a position fired, since it was put. */
    List<Long> fires(int position) {
      return book.journal(TABLE, 10_000).reversed().stream()
          .filter(fire -> fire.position() == position)
          .map(EntryFire::at)
          .map(at -> ((AgreedTime.At) at).epochMillis())
          .toList();
    }
  }

  @SuppressWarnings("NullAway.Init") // by the test, from its seed
  private SplittableRandom random;

  @SuppressWarnings("NullAway.Init") // by the test, from its seed
  private ReplicaCluster sim;

  private final List<Life> lives = new ArrayList<>();
  private long request;

  private void pass(long nanos) {
    sim.timeline.runUntil(sim.timeline.nowNanos() + nanos);
  }

  /** Submits a command at one replica after another, until it is executed. */
  private BookReply execute(BookCommand command) {
    request++;
    List<byte[]> replies = new ArrayList<>();
    for (int tries = 0; replies.isEmpty(); tries++) {
      assertThat(tries).as("the cluster goes on").isLessThan(200);
      Life life = lives.get(random.nextInt(lives.size()));
      if (!life.isOver) {
        life.log.submit(
            new ClientId(1),
            request,
            new LogCommand.Request(command.encode()).encode(),
            answer -> {
              if (answer instanceof SubmissionResult.Done(_, byte[] reply)) {
                replies.add(reply);
              }
            });
      }
      pass(2 * SECOND);
    }
    byte[] reply = replies.getFirst();
    assertThat(LogReply.of(reply)).isEqualTo(LogReply.EXECUTED);
    return BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length));
  }

  private BookReply put(int position) {
    return execute(
        new BookCommand.PutEntry(
            new EntryDefinition(
                TABLE,
                position,
                "",
                new EntryTiming.ByModule("every-five-seconds", new byte[0]),
                new EntryWork.Run("every-five-seconds", new byte[0])),
            BookCommand.Mode.CREATE));
  }

  private void startAgain(int replica) {
    if (lives.get(replica).isOver) {
      lives.set(replica, new Life(new ReplicaId(replica)));
    }
  }

  private void disturb() {
    int replica = random.nextInt(lives.size());
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        if (lives.stream().noneMatch(life -> life.isOver)) {
          lives.get(replica).end();
          if (random.nextBoolean() && sim.couldDoWithout(new ReplicaId(replica))) {
            sim.wipe(new ReplicaId(replica));
          }
        }
      }
      case 2 -> sim.network.lostPerMille = random.nextInt(200);
      default -> startAgain(replica);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void cc2_cc15_cc31_a_users_rule_and_on_remove_are_the_same_on_every_replica(long seed) {
    random = new SplittableRandom(seed);
    sim =
        new ReplicaCluster(
            new ReplicaGroup(3, Faults.CRASH),
            random.split(),
            new OrderedExecution.Config(100, 1_000),
            ReplicaWiring.PRODUCTION);
    sim.cluster.replicas().forEach(replica -> lives.add(new Life(replica)));
    int stays = POSITIONS; // the entry that is never removed
    put(stays);
    for (int round = 0; round < 60; round++) {
      disturb();
      int position = random.nextInt(POSITIONS);
      if (random.nextBoolean()) {
        put(position);
      } else {
        execute(new BookCommand.RemoveEntry(TABLE, position));
      }
      pass(random.nextLong(8 * SECOND));
    }
    sim.network.lostPerMille = 0;
    for (int replica = 0; replica < lives.size(); replica++) {
      startAgain(replica);
    }
    pass(30 * SECOND);
    execute(new BookCommand.PutTable(new TableSettings(TABLE, Duration.ZERO)));
    pass(30 * SECOND);

    Life first = lives.getFirst();
    for (Life life : lives) {
      assertThat(life.machine.digest()).as("%s", life.log.self()).isEqualTo(first.machine.digest());
    }
    assertThat(first.state().pages())
        .as("pages of entries, and the count of removals")
        .containsAll(List.of(stays, EveryFiveSeconds.REMOVED))
        .allMatch(
            page -> page == EveryFiveSeconds.REMOVED || first.book.find(TABLE, page).isPresent());
    List<Long> fires = first.fires(stays);
    assertThat(fires).hasSizeGreaterThan(20);
    for (int i = 1; i < fires.size(); i++) {
      assertThat(fires.get(i) - fires.get(i - 1))
          .isGreaterThanOrEqualTo(EveryFiveSeconds.PERIOD_MILLIS);
    }
  }
}
