package io.kairos.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.DueNotifier;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class PostgresNotifierTest {
  private static final NodeId ONE = new NodeId(new UUID(1, 1));
  private static final NodeId OTHER = new NodeId(new UUID(2, 2));
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  private static final TestDatabase DATABASE = TestDatabase.create();

  @Test // DA-L4
  void every_other_node_hears_it() {
    try (PostgresStores one = DATABASE.open();
        PostgresStores other = DATABASE.open()) {
      DueNotifier notifier = one.notifier();
      assertThat(notifier.heard(ONE, AT_ONCE)).as("what rang before it listened").isTrue();
      other.notifier().heard(OTHER, AT_ONCE);
      assertThat(notifier.heard(ONE, AT_ONCE)).isFalse();

      other.notifier().notifyOthers(OTHER);

      assertThat(notifier.heard(ONE, PATIENCE)).isTrue();
      assertThat(notifier.heard(ONE, AT_ONCE)).isFalse();
      assertThat(other.notifier().heard(OTHER, PATIENCE)).as("what it sent itself").isFalse();
      other.notifier().notifyOthers(ONE);
      notifier.notifyOthers(ONE);
      assertThat(other.notifier().heard(OTHER, PATIENCE)).isTrue();
    }
  }

  @Test
  void a_node_does_not_hear_itself() {
    try (PostgresStores one = DATABASE.open()) {
      one.notifier().heard(ONE, AT_ONCE);

      one.notifier().notifyOthers(ONE);

      assertThat(one.notifier().heard(ONE, Duration.ofMillis(200))).isFalse();
    }
  }

  @Test
  void it_listens_again_when_its_connection_was_lost() {
    try (PostgresStores one = DATABASE.open()) {
      one.notifier().heard(ONE, AT_ONCE);
      DATABASE.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where datname = current_database() and query like 'listen%'");

      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(() -> one.notifier().heard(ONE, PATIENCE));
      assertThat(one.notifier().heard(ONE, AT_ONCE)).as("what rang meanwhile").isTrue();
      one.notifier().notifyOthers(OTHER);
      assertThat(one.notifier().heard(ONE, PATIENCE)).isTrue();
    }
  }
}
