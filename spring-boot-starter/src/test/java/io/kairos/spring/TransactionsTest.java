package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskFilter;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskQuery;
import io.kairos.client.error.KairosException;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.SettingOrigin;
import io.kairos.server.config.SettingSources;
import io.kairos.server.wiring.RunningNode;
import io.kairos.server.wiring.ServerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Business rows and tasks in one Postgres, and a node on it. */
class TransactionsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final PGSimpleDataSource DATABASE = new PGSimpleDataSource();

  private static RunningNode node;

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Application {
    @Bean
    DataSource dataSource() {
      return DATABASE;
    }

    @Bean
    JdbcTemplate jdbcTemplate(DataSource source) {
      return new JdbcTemplate(source);
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    Orders orders(JdbcTemplate jdbc, KairosTemplate kairos) {
      return new Orders(jdbc, kairos);
    }
  }

  @BeforeAll
  static void start_a_node() {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    String url = postgres.newDatabase();
    List<GivenSetting> settings = new ArrayList<>();
    Map.of(
            "http.port",
            "0",
            "postgres.url",
            url,
            "postgres.user",
            postgres.user(),
            "postgres.password",
            postgres.password())
        .forEach((key, value) ->
            settings.add(new GivenSetting(key, value, SettingOrigin.flag("--set"))));
    node = RunningNode.start(ServerConfig.read(SettingSources.of(null, Map.of(), settings)));
    assertThat(node.awaitReady(PATIENCE)).as("%s", node.obstacles()).isTrue();
    DATABASE.setUrl(url);
    DATABASE.setUser(postgres.user());
    DATABASE.setPassword(postgres.password());
    new JdbcTemplate(DATABASE)
        .execute("create table orders (id text primary key, invoiced boolean)");
  }

  @AfterAll
  static void stop_it() {
    node.close();
  }

  private static ApplicationContextRunner application() {
    return Applications.alone()
        .withUserConfiguration(Application.class)
        .withPropertyValues("kairos.address=127.0.0.1:" + node.places().httpPort());
  }

  private static void run(ContextConsumer<AssertableApplicationContext> test) {
    application().run(test);
  }

  @Test
  void a_row_and_its_task_commit_together_and_the_task_is_performed() {
    run(context -> {
      TaskId id = context.getBean(Orders.class).place("order-1", false);

      TaskOutcome outcome = context.getBean(KairosClient.class).await(id, PATIENCE);

      assertThat(outcome)
          .isInstanceOfSatisfying(
              TaskOutcome.Succeeded.class,
              done -> assertThat(done.result().orElseThrow().text()).isEqualTo("\"order-1 1\""));
    });
  }

  @Test
  void a_roll_back_takes_row_and_task_back() {
    run(context -> {
      assertThatThrownBy(() -> context.getBean(Orders.class).place("order-2", true))
          .hasMessage("the order is refused");

      assertThat(rows("order-2")).isZero();
      assertThat(unfinished(context, "write-invoice")).isZero();
    });
  }

  @Test
  void a_task_in_a_transaction_is_seen_by_nobody_before_the_commit() {
    run(context -> {
      TransactionTemplate transaction =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
      TaskId id =
          transaction.execute(status -> {
            TaskId stored =
                context.getBean(KairosTemplate.class).schedule("nobody", new Orders.Order("3"));
            assertThat(unfinished(context, "nobody")).isZero();
            return stored;
          });

      assertThat(context.getBean(KairosClient.class).get(requireNonNull(id)).handler())
          .isEqualTo("nobody");
    });
  }

  @Test
  void tasks_of_one_call_are_all_stored_or_none() {
    run(context -> {
      TransactionTemplate transaction =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
      KairosTemplate template = context.getBean(KairosTemplate.class);

      assertThatThrownBy(() ->
              transaction.executeWithoutResult(status ->
                  template.scheduleAll(
                      List.of(
                          template.task("half", null).build(),
                          template.task("half", null).priority(101).build()))))
          .isInstanceOf(KairosException.class)
          .hasMessageContaining("priority");
      assertThat(unfinished(context, "half")).isZero();
    });
  }

  @Test
  void separate_tasks_stay_when_the_transaction_is_rolled_back() {
    application()
        .withPropertyValues("kairos.transactions=separate", "kairos.worker.enabled=false")
        .run(context -> {
          assertThatThrownBy(() -> context.getBean(Orders.class).place("order-4", true))
              .hasMessage("the order is refused");

          assertThat(rows("order-4")).isZero();
          assertThat(unfinished(context, "write-invoice")).isEqualTo(1);
          context
              .getBean(KairosClient.class)
              .cancel(TaskFilter.none().handler("write-invoice"), 10);
        });
  }

  @Test
  void a_transaction_of_something_else_is_refused() {
    run(context -> {
      TransactionTemplate transaction = new TransactionTemplate(new OtherTransactions());

      assertThatThrownBy(() ->
              transaction.execute(
                  status -> context.getBean(KairosTemplate.class).schedule("x", null)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not on the DataSource")
          .hasMessageContaining("kairos.transactions");
    });
  }

  @Test
  void with_several_data_sources_and_no_primary_one_nodes_are_called() {
    Applications.alone()
        .withPropertyValues("kairos.address=127.0.0.1:" + node.places().httpPort())
        .withBean("one", DataSource.class, () -> DATABASE)
        .withBean("other", DataSource.class, PGSimpleDataSource::new)
        .run(context -> {
          TaskId id =
              new TransactionTemplate(new JdbcTransactionManager(DATABASE))
                  .execute(status -> {
                    status.setRollbackOnly();
                    return context.getBean(KairosTemplate.class).schedule("called", null);
                  });

          assertThat(context.getBean(KairosClient.class).get(requireNonNull(id)).handler())
              .isEqualTo("called");
        });
  }

  @Test
  void a_database_without_kairos_says_what_to_set() {
    PGSimpleDataSource other = new PGSimpleDataSource();
    other.setUrl(EmbeddedPostgres.shared().newDatabase());
    other.setUser(EmbeddedPostgres.shared().user());
    other.setPassword(EmbeddedPostgres.shared().password());
    Applications.alone()
        .withBean(DataSource.class, () -> other)
        .run(context -> {
          TransactionTemplate transaction =
              new TransactionTemplate(new JdbcTransactionManager(other));

          assertThatThrownBy(() ->
                  transaction.execute(
                      status -> context.getBean(KairosTemplate.class).schedule("x", null)))
              .isInstanceOf(KairosException.class)
              .hasMessageContaining("set kairos.transactions to separate");
        });
  }

  private static int rows(String id) {
    Integer rows =
        new JdbcTemplate(DATABASE)
            .queryForObject("select count(*) from orders where id = ?", Integer.class, id);
    return rows == null ? 0 : rows;
  }

  private static long unfinished(AssertableApplicationContext context, String handler) {
    return context
        .getBean(KairosClient.class)
        .list(TaskQuery.all().handler(handler))
        .tasks()
        .stream()
        .filter(task -> !task.state().isFinished())
        .count();
  }

  /** Transactions that bind nothing, like those of a broker. */
  private static final class OtherTransactions extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1;

    @Override
    protected Object doGetTransaction() {
      return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }
}
