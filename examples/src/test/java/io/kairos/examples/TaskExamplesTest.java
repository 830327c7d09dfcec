package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskQuery;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.wiring.RunningNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The examples of tasks, run against a node whose database is the application's as well. */
class TaskExamplesTest {
  private static final PGSimpleDataSource DATABASE = new PGSimpleDataSource();

  private static RunningNode node;
  private static KairosClient kairos;

  @BeforeAll
  static void start_a_node() throws SQLException {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    String url = postgres.newDatabase();
    node = ExampleNode.on(url);
    kairos = KairosClient.connect("127.0.0.1:" + node.places().httpPort());
    DATABASE.setUrl(url);
    DATABASE.setUser(postgres.user());
    DATABASE.setPassword(postgres.password());
    try (Connection connection = DATABASE.getConnection();
        Statement create = connection.createStatement()) {
      create.execute("create table orders (id text primary key)");
    }
  }

  @AfterAll
  static void stop_it() {
    kairos.close();
    node.close();
  }

  @Test
  void an_order_and_its_task_are_stored_together_or_not_at_all() throws SQLException {
    TaskId task = PlaceOrder.place(DATABASE, "order-1");

    assertThat(kairos.get(task).payload()).isEqualTo("order-1".getBytes(UTF_8));
    SQLException refused =
        catchThrowableOfType(SQLException.class, () -> PlaceOrder.place(DATABASE, "order-1"));
    assertThat(refused.getSQLState()).as("the order is there already").isEqualTo("23505");
    assertThat(kairos.list(TaskQuery.all().handler("write-invoice")).tasks()).hasSize(1);
  }

  @Test // PD-44
  void a_charge_is_scheduled_once() {
    TaskId first = ScheduleOnce.charge(kairos, "order-2");

    assertThat(ScheduleOnce.charge(kairos, "order-2")).isEqualTo(first);
    assertThat(ScheduleOnce.charge(kairos, "order-3")).isNotEqualTo(first);
  }
}
