package io.kairos.engine.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.RequestOrigin;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTrailTest {
  private static final ComponentId OURS = new ComponentId(7);
  private static final ReplicaId SELF = new ReplicaId(0);

  /** A replica whose entry 20 writes something of its own from a sequence on. */
  private static CronMachine replica(byte own, long from) {
    CronMachine machine =
        new CronMachine(
            new CronMachine.Config(
                new ReplicaGroup(1, Faults.CRASH), true, ClockLimits.PUBLISHED, 1 << 20),
            new CronApplication() {
              @Override
              public void build(CronTableRegistry tables, ReservedPages pages) {
                for (int position = 10; position <= 30; position += 10) {
                  PageId page = new PageId(PageArea.USER, 7, position);
                  boolean isOdd = position == 20;
                  tables
                      .table(OURS)
                      .add(
                          new CronEntry(
                              position,
                              _ -> true,
                              tick ->
                                  pages.write(
                                      page,
                                      new byte[] {
                                        (byte) tick.sequence(),
                                        isOdd && tick.sequence() >= from ? own : 0
                                      })));
                }
              }

              @Override
              public byte[] execute(Request request, ReservedPages pages) {
                return request.body();
              }
            },
            CronListener.NONE,
            TickListener.NONE);
    return machine;
  }

  private static void ticks(CronMachine machine, int first, int count) {
    for (int i = first; i < first + count; i++) {
      machine.execute(
          new OrderedRequest(
              i,
              new RequestOrigin(ClientId.ofTicks(SELF, OURS), i, SELF),
              AgreedTime.OFF,
              new LogCommand.Tick(OURS, i, i * 1_000L).encode()));
    }
  }

  @Test
  void r1_where_replicas_part_is_told_by_request_and_entry() {
    CronMachine one = replica((byte) 1, 100);
    CronMachine other = replica((byte) 2, 100);
    ticks(one, 1, 150);
    ticks(other, 1, 170);

    assertThat(one.digest()).isNotEqualTo(other.digest());
    RequestTrail.Step first =
        RequestTrail.firstDifference(one.trail().steps(0), other.trail().steps(0)).orElseThrow();
    assertThat(first.sequence()).isEqualTo(100);
    assertThat(first.place()).hasToString("position 20 of component 7");
  }

  @Test
  void replicas_that_agree_have_no_difference_also_if_one_is_ahead_or_was_restored() {
    CronMachine one = replica((byte) 1, 1);
    CronMachine other = replica((byte) 1, 1);
    ticks(one, 1, 50);
    other.restore(one.snapshot());
    assertThat(RequestTrail.firstDifference(one.trail().steps(0), other.trail().steps(0)))
        .isEmpty();
    ticks(one, 51, 30);
    ticks(other, 51, 20);

    assertThat(RequestTrail.firstDifference(one.trail().steps(0), other.trail().steps(0)))
        .isEmpty();
    assertThat(RequestTrail.firstDifference(other.trail().steps(0), one.trail().steps(0)))
        .isEmpty();
  }

  @Test
  void what_is_missing_is_a_difference_too() {
    RequestTrail.Step first = new RequestTrail.Step(1, new RequestTrail.WriteSource.Rest(), 5);
    RequestTrail.Step second = new RequestTrail.Step(2, new RequestTrail.WriteSource.Rest(), 6);
    RequestTrail.Step third = new RequestTrail.Step(3, new RequestTrail.WriteSource.Rest(), 7);

    assertThat(RequestTrail.firstDifference(List.of(first, second, third), List.of(first, third)))
        .hasValue(second);
    assertThat(RequestTrail.firstDifference(List.of(first, third), List.of(first, second, third)))
        .hasValue(third);
  }

  /** A replica whose entry 10 writes and then throws, or does neither. */
  private static CronMachine throwing(boolean throwsHere) {
    return new CronMachine(
        new CronMachine.Config(
            new ReplicaGroup(1, Faults.CRASH), true, ClockLimits.PUBLISHED, 1 << 20),
        new CronApplication() {
          @Override
          public void build(CronTableRegistry tables, ReservedPages pages) {
            tables
                .table(OURS)
                .add(
                    new CronEntry(
                        10,
                        _ -> true,
                        tick -> {
                          pages.write(
                              new PageId(PageArea.USER, 7, 10),
                              new byte[] {(byte) tick.sequence()});
                          if (throwsHere && tick.sequence() == 3) {
                            throw new IllegalStateException("on purpose");
                          }
                        }));
          }

          @Override
          public byte[] execute(Request request, ReservedPages pages) {
            return request.body();
          }
        },
        CronListener.NONE,
        TickListener.NONE);
  }

  @Test
  void an_action_that_throws_on_one_replica_only_is_named() {
    CronMachine one = throwing(true);
    CronMachine other = throwing(false);
    ticks(one, 1, 5);
    ticks(other, 1, 5);

    RequestTrail.Step first =
        RequestTrail.firstDifference(one.trail().steps(0), other.trail().steps(0)).orElseThrow();
    assertThat(first.sequence()).isEqualTo(3);
    assertThat(first.place()).hasToString("position 10 of component 7");
  }

  @Test
  void a_trail_is_bounded_and_told_from_a_request_on() {
    CronMachine one = replica((byte) 1, 1);
    ticks(one, 1, 30_000);

    assertThat(one.trail().steps(0)).hasSize(RequestTrail.MOST_STEPS);
    assertThat(one.trail().steps(29_998))
        .extracting(RequestTrail.Step::sequence)
        .startsWith(29_999L)
        .endsWith(30_000L)
        .isSorted();
    assertThat(one.trail().steps(30_000)).isEmpty();
    assertThat(one.trail().at()).isEqualTo(30_000);
  }
}
