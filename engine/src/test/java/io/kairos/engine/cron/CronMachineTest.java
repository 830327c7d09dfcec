package io.kairos.engine.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.clock.AgreedClock;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.cron.outbox.Effect.Asking;
import io.kairos.domain.cron.outbox.EffectId;
import io.kairos.domain.cron.outbox.PendingEffect;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.RequestOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CronMachineTest {
  private static final ComponentId OURS = new ComponentId(7);
  private static final long FORTY_YEARS = 40L * 365 * 86_400_000;
  private static final PageId PAGE = new PageId(PageArea.USER, 7, 0);

  private final List<String> done = new ArrayList<>();
  private CronMachine machine = machine(3, true);
  private AgreedTime logTime = AgreedTime.OFF;
  private long sequence;

  private CronMachine machine(int replicas, boolean time) {
    ReplicaGroup cluster = new ReplicaGroup(replicas, Faults.CRASH);
    return new CronMachine(
        new CronMachine.Config(cluster, time, ClockLimits.PUBLISHED, 1 << 20),
        application(),
        CronListener.NONE,
        TickListener.NONE);
  }

  private CronApplication application() {
    return new CronApplication() {
      @Override
      public void build(CronTableRegistry tables, ReservedPages pages) {
        var table = tables.table(OURS);
        table.add(
            new CronEntry(
                1,
                _ -> true,
                tick -> done.add("tick " + tick.sequence() + " " + say(tick.time()))));
        table.add(
            PeriodicEntries.every(table, 2, Duration.ofSeconds(1), _ -> done.add("periodic")));
        if (pages.read(PAGE).isPresent()) {
          table.add(new CronEntry(3, _ -> true, _ -> done.add("added")));
        }
      }

      @Override
      public byte[] execute(Request request, ReservedPages pages) {
        pages.write(PAGE, request.body());
        if (request.body()[0] == '!') {
          throw new IllegalArgumentException("on purpose");
        }
        return (say(request.time()) + " " + request.sequence()).getBytes(StandardCharsets.UTF_8);
      }
    };
  }

  private static String say(AgreedTime time) {
    return time instanceof AgreedTime.At at ? at.epochMillis() + " ms" : "off";
  }

  private LogReply tick(int replica, long round, @Nullable Long reading) {
    return LogReply.of(
        execute(
            ClientId.ofTicks(new ReplicaId(replica), OURS),
            new ReplicaId(replica),
            new LogCommand.Tick(OURS, round, reading).encode()));
  }

  private byte[] execute(ClientId client, @Nullable ReplicaId replica, byte[] command) {
    sequence++;
    return machine.execute(
        new OrderedRequest(
            sequence, new RequestOrigin(client, sequence, replica), logTime, command));
  }

  private byte[] request(String body) {
    return execute(
        new ClientId(5),
        null,
        new LogCommand.Request(body.getBytes(StandardCharsets.UTF_8)).encode());
  }

  @Test
  void cc13_cc21_a_tick_evaluates_its_table_with_its_place_and_the_agreed_time() {
    assertThat(tick(2, 1, 1_000L)).isEqualTo(LogReply.EVALUATED);
    assertThat(tick(0, 1, 1_010L)).isEqualTo(LogReply.EVALUATED);

    assertThat(done).containsExactly("tick 1 off", "tick 2 1000 ms", "periodic");
    assertThat(
            machine.execute(
                new OrderedRequest(
                    9,
                    new RequestOrigin(
                        ClientId.ofTicks(new ReplicaId(1), OURS), 1, new ReplicaId(1)),
                    AgreedTime.OFF,
                    new LogCommand.Tick(OURS, 2, 1_020L).encode())))
        .as("one byte answers a tick")
        .hasSize(1);
  }

  @Test
  void cc_l3_a_tick_that_is_not_needed_evaluates_nothing_but_its_clock_is_read() {
    tick(2, 1, 1_000L);

    assertThat(tick(2, 1, 1_000L)).isEqualTo(LogReply.NOT_NEEDED);
    assertThat(tick(1, 1, 1_500L)).isEqualTo(LogReply.NOT_NEEDED);
    assertThat(tick(1, 3, 1_500L)).isEqualTo(LogReply.NOT_NEEDED);
    assertThat(done).containsExactly("tick 1 off");

    tick(0, 1, 1_600L);
    assertThat(done).contains("tick 5 1500 ms");
  }

  @Test // CC-44
  void cc20_cc23_with_time_off_ticks_have_none_and_nothing_periodic_runs() {
    machine = machine(3, false);

    for (int round = 1; round <= 30; round++) {
      tick(round % 3 == 1 ? 2 : round % 3 == 2 ? 1 : 0, round, null);
    }
    tick(2, 31, 5_000L);

    assertThat(done).hasSize(31).allMatch(line -> line.endsWith("off"));
    assertThat(machine.clock().now()).isEqualTo(AgreedTime.OFF);
  }

  @Test
  void cc48_cc49_a_tick_without_a_reading_is_ignored_and_counted_while_time_is_on() {
    assertThat(tick(2, 1, null)).isEqualTo(LogReply.ILL_FORMED);
    assertThat(tick(2, 1, Long.MAX_VALUE)).isEqualTo(LogReply.ILL_FORMED);

    assertThat(done).isEmpty();
    assertThat(machine.rounds().round(OURS)).isZero();
    assertThat(machine.clock().counters()).isEqualTo(new AgreedClock.Counters(0, 0, 2));
  }

  @Test
  void cc46_where_the_log_gives_a_time_ticks_have_it_and_their_clocks_are_only_noted() {
    logTime = AgreedTime.at(5_000);
    tick(2, 1, FORTY_YEARS);
    assertThat(done).containsExactly("tick 1 5000 ms", "periodic");

    tick(0, 1, -FORTY_YEARS);
    logTime = AgreedTime.at(4_000);
    tick(1, 2, 0L);
    logTime = AgreedTime.at(6_000);
    assertThat(tick(1, 9, 0L)).isEqualTo(LogReply.NOT_NEEDED);
    assertThat(machine.clock().now()).isEqualTo(AgreedTime.at(5_002));
    tick(2, 2, 0L);

    assertThat(done)
        .containsExactly(
            "tick 1 5000 ms",
            "periodic",
            "tick 2 5001 ms",
            "tick 3 5002 ms",
            "tick 5 6000 ms",
            "periodic");
    assertThat(machine.clock().readings())
        .extracting(AgreedClock.KnownReading::at)
        .containsExactly(Instant.ofEpochMilli(-FORTY_YEARS), Instant.EPOCH, Instant.EPOCH);
    assertThat(machine.clock().counters()).isEqualTo(new AgreedClock.Counters(4, 2, 0));
  }

  @Test
  void cc23_with_time_off_the_time_of_the_log_is_off_as_well() {
    machine = machine(3, false);
    logTime = AgreedTime.at(5_000);

    tick(2, 1, null);

    assertThat(done).containsExactly("tick 1 off");
  }

  @Test
  void cc21_a_tick_of_an_unknown_component_is_refused() {
    ComponentId unknown = new ComponentId(8);

    assertThat(
            LogReply.of(
                execute(
                    ClientId.ofTicks(new ReplicaId(2), unknown),
                    new ReplicaId(2),
                    new LogCommand.Tick(unknown, 1, 1_000L).encode())))
        .isEqualTo(LogReply.UNKNOWN_COMPONENT);
    assertThat(machine.tables().find(unknown)).isEmpty();
  }

  @Test
  void a_tick_that_is_not_of_the_replica_that_it_says_is_refused() {
    byte[] tick = new LogCommand.Tick(OURS, 1, 1_000L).encode();
    ClientId ofTwo = ClientId.ofTicks(new ReplicaId(2), OURS);

    assertThat(LogReply.of(execute(ofTwo, null, tick))).isEqualTo(LogReply.NOT_YOURS);
    assertThat(LogReply.of(execute(ofTwo, new ReplicaId(0), tick))).isEqualTo(LogReply.NOT_YOURS);
    assertThat(LogReply.of(execute(new ClientId(1), new ReplicaId(2), tick)))
        .isEqualTo(LogReply.NOT_YOURS);
    assertThat(
            LogReply.of(execute(ClientId.ofTicks(new ReplicaId(3), OURS), new ReplicaId(3), tick)))
        .isEqualTo(LogReply.NOT_YOURS);
    assertThat(done).isEmpty();
  }

  @Test
  void what_a_replica_says_of_effects_is_noted_and_nobody_else_may_say_it() {
    EffectId id = new EffectId(OURS, 1, 1);
    byte[] wanted = new LogCommand.Effects(List.of(id), List.of()).encode();
    byte[] done = new LogCommand.Effects(List.of(), List.of(id)).encode();
    ClientId ofOne = ClientId.ofEffects(new ReplicaId(1));
    machine.outbox().put(new Tick(OURS, 1, AgreedTime.OFF), 1, Asking.IN_TURN, new byte[0]);

    for (byte[] said : List.of(wanted, done)) {
      assertThat(LogReply.of(execute(ofOne, null, said))).isEqualTo(LogReply.NOT_YOURS);
      assertThat(LogReply.of(execute(ofOne, new ReplicaId(2), said))).isEqualTo(LogReply.NOT_YOURS);
      assertThat(LogReply.of(execute(new ClientId(4), new ReplicaId(1), said)))
          .isEqualTo(LogReply.NOT_YOURS);
      assertThat(LogReply.of(execute(ClientId.ofEffects(new ReplicaId(3)), new ReplicaId(3), said)))
          .isEqualTo(LogReply.NOT_YOURS);
    }
    assertThat(machine.outbox().waiting()).extracting(PendingEffect::wantedBy).containsExactly(0L);
    assertThat(LogReply.of(execute(ofOne, new ReplicaId(1), wanted))).isEqualTo(LogReply.NOTED);
    assertThat(machine.outbox().waiting()).extracting(PendingEffect::wantedBy).containsExactly(2L);
    assertThat(LogReply.of(execute(ofOne, new ReplicaId(1), done))).isEqualTo(LogReply.NOTED);
    assertThat(machine.outbox().count()).isZero();
  }

  @Test
  void bytes_that_are_no_command_are_refused_and_take_their_place() {
    for (byte[] bytes : List.of(new byte[0], new byte[] {9}, new byte[] {1}, new byte[20])) {
      assertThat(LogReply.of(execute(new ClientId(1), null, bytes))).isEqualTo(LogReply.ILL_FORMED);
    }
  }

  @Test // CC-14
  void cc15_a_request_is_executed_between_ticks_with_the_last_agreed_time() {
    assertThat(new String(request("a"), 1, 5, StandardCharsets.UTF_8)).isEqualTo("off 1");
    tick(2, 1, 1_000L);
    tick(0, 1, 1_010L);

    byte[] reply = request("b");

    assertThat(LogReply.of(reply)).isEqualTo(LogReply.EXECUTED);
    assertThat(new String(reply, 1, reply.length - 1, StandardCharsets.UTF_8))
        .isEqualTo("1000 ms 4");
  }

  @Test
  void cc10_a_request_that_throws_has_done_nothing() {
    assertThat(LogReply.of(request("!"))).isEqualTo(LogReply.FAILED);
    assertThat(machine.pages().read(PAGE)).isEmpty();
  }

  @Test
  void cc31_cc47_a_snapshot_replaces_tables_rounds_and_time_of_a_running_machine() {
    CronMachine ahead = machine;
    tick(2, 1, 1_000L);
    tick(0, 1, 1_010L);
    request("entry 3 is there");
    machine = machine(3, true);
    tick(2, 1, 500L);
    done.clear();

    machine.restore(ahead.snapshot());

    assertThat(machine.digest()).isEqualTo(ahead.digest());
    assertThat(machine.clock().now()).isEqualTo(AgreedTime.at(1_000));
    assertThat(machine.rounds().round(OURS)).isEqualTo(1);
    assertThat(machine.tables().table(OURS).nextFire(2)).contains(Instant.ofEpochMilli(2_000));
    tick(1, 2, 1_500L);
    assertThat(done).containsExactly("tick 5 1010 ms", "added");
  }

  @Test
  void cc47_executed_again_from_a_snapshot_a_tick_sees_the_same_time() {
    tick(2, 1, 1_000L);
    tick(0, 1, 1_010L);
    byte[] before = machine.snapshot();
    tick(1, 2, 2_020L);
    byte[] after = machine.digest();
    String first = done.getLast();

    sequence--;
    machine.restore(before);
    tick(1, 2, 2_020L);

    assertThat(machine.digest()).isEqualTo(after);
    assertThat(done.getLast()).isEqualTo(first);
  }
}
