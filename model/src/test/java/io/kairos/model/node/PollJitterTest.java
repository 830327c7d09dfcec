package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.model.task.TaskStoreCalls;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The waits between the questions for what comes due. */
@SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // an override is found by its name
final class PollJitterTest {
  private final CrankedWorld world = new CrankedWorld();

  @Test
  void ch30_each_wait_is_the_poll_interval_and_something_random() {
    world.createTopics("a", 1);
    Duration interval = DelayConfig.defaults().claiming().pollInterval();
    Queue<Duration> random = new ArrayDeque<>(List.of(Duration.ofMillis(7), Duration.ofMillis(3)));
    CrankedNode node = world.node(with(random, world.ports(DelayEvents.NONE)), "a").begin();

    assertThat(node.crank("claim").after()).isEqualTo(interval.plusMillis(7));
    assertThat(node.crank("claim").after()).isEqualTo(interval.plusMillis(3));
  }

  @Test // CH-30
  void the_time_that_a_claim_took_is_part_of_the_interval() {
    world.createTopics("a", 1);
    Duration interval = DelayConfig.defaults().claiming().pollInterval();
    MessageStore slow =
        TaskStoreCalls.overridden(
            MessageStore.class,
            world.store,
            new Object() {
              public List<ClaimedMessage> claim(ClaimRequest request) {
                world.letPass(Duration.ofMillis(30));
                return world.store.claim(request);
              }
            });
    Queue<Duration> random = new ArrayDeque<>(List.of(Duration.ofMillis(7)));
    DelayPorts ports = CrankedWorld.with(slow, world.ports(DelayEvents.NONE));
    CrankedNode node = world.node(with(random, ports), "a").begin();

    assertThat(node.crank("claim").after()).isEqualTo(interval.minusMillis(30).plusMillis(7));
  }

  private static DelayPorts with(Queue<Duration> random, DelayPorts ports) {
    return new DelayPorts(
        ports.messages(),
        ports.amendments(),
        ports.publisher(),
        ports.clock(),
        ports.monotonic(),
        ports.wakeups(),
        random::remove,
        ports.events());
  }
}
