package io.kairos.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.delay.DelayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two live nodes, and an output that is dead for much longer than the hold time. */
class DeadOutputTest {
  private static final Duration DEAD_FOR = Duration.ofSeconds(60);
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  private final HandCrankedCluster cluster = new HandCrankedCluster(DelayConfig.defaults());
  private final List<String> submitted = new ArrayList<>();

  @Test
  void ch34_nobody_is_suspected_while_one_partition_is_dead_and_nothing_comes_out_twice() {
    cluster.startNode();
    cluster.startNode();
    cluster.broker.setDead(HandCrankedCluster.OUT, 2, true);

    submitFor(DEAD_FOR);
    assertThat(cluster.published(HandCrankedCluster.OUT, 2)).isEmpty();
    assertThat(cluster.published(HandCrankedCluster.OUT)).hasSizeGreaterThan(1_000);
    assertThat(cluster.suspected).isEmpty();
    cluster.broker.setDead(HandCrankedCluster.OUT, 2, false);
    cluster.time.pass(RECOVERY);

    assertEachCameOutOnce();
  }

  @Test
  void ch34_nobody_is_suspected_while_the_broker_is_away_and_nothing_comes_out_twice() {
    cluster.startNode();
    cluster.startNode();
    submitFor(Duration.ofSeconds(10));
    cluster.broker.setAway(true);

    cluster.time.pass(DEAD_FOR);
    assertThat(cluster.suspected).isEmpty();
    cluster.broker.setAway(false);
    cluster.time.pass(RECOVERY);

    assertEachCameOutOnce();
  }

  private void assertEachCameOutOnce() {
    assertThat(cluster.suspected).isEmpty();
    assertThat(cluster.published(HandCrankedCluster.OUT))
        .containsExactlyInAnyOrderElementsOf(submitted);
    assertThat(cluster.store.lookAtAll()).isEmpty();
  }

  private void submitFor(Duration time) {
    for (long tenth = 0; tenth < time.toMillis() / 100; tenth++) {
      for (int partition = 0; partition < 4; partition++) {
        String id = "m" + submitted.size();
        submitted.add(id);
        cluster.submit(id, Duration.ofSeconds(3), partition);
      }
      cluster.time.pass(Duration.ofMillis(100));
    }
  }
}
