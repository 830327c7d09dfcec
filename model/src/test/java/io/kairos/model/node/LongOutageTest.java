package io.kairos.model.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.task.TaskId;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * PD-L1: every node is away for hours; what came due meanwhile is done afterwards, in due order.
 */
final class LongOutageTest {
  private static final Duration OUTAGE = Duration.ofHours(5);

  @Test
  void pd_l1_messages_that_came_due_in_an_outage_of_hours_are_fired_in_due_order() {
    CrankedWorld world = new CrankedWorld();
    world.createTopics("a", 1);
    CrankedNode dies = world.node("a").begin();
    for (String delay : List.of("PT3H", "PT10S", "PT4H", "PT1H")) {
      world.send("a", delay, ControlHeaders.ID, delay, ControlHeaders.DELAY, delay);
    }
    dies.takeIn("a");
    dies.crank("claim"); // the soonest is in its memory

    world.letPass(OUTAGE);
    CrankedNode other = world.node("a").begin();
    for (int i = 0; i < 5; i++) {
      other.live(Duration.ofSeconds(1));
      other.crank("takeover", "claim", "fire", "settle");
    }

    assertThat(world.records("a-out"))
        .extracting(record -> new String(requireNonNull(record.key()), UTF_8))
        .containsExactlyInAnyOrder("PT10S", "PT1H", "PT3H", "PT4H")
        .containsSubsequence("PT1H", "PT3H", "PT4H");
    assertThat(world.store.lookAtAll()).isEmpty();
  }

  @Test
  void pd_l1_tasks_that_came_due_in_an_outage_of_hours_are_handed_out_in_due_order() {
    CrankedTasks world = new CrankedTasks();
    Node dies = world.node();
    List<CallAnswer<List<TaskId>>> scheduled = new ArrayList<>();
    for (long minutes : new long[] {180, 240, 60}) {
      scheduled.add(dies.schedule(world.dueIn(Duration.ofMinutes(minutes), "mail")));
    }
    world.pass(Duration.ofSeconds(1), dies);
    dies.die();

    world.crank.pass(OUTAGE);
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> asked = other.ask(10, "mail");
    world.pass(Duration.ofSeconds(2), other);

    assertThat(asked.get())
        .extracting(work -> work.task().id())
        .containsExactly(
            scheduled.get(2).get().getFirst(),
            scheduled.get(0).get().getFirst(),
            scheduled.get(1).get().getFirst());
  }
}
