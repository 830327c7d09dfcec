package io.kairos.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskQuery;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tasks that are scheduled around the commit, on a pool that commits nothing by itself. */
class TransactionPhasesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String URL = EmbeddedPostgres.shared().newDatabase();

  /** Places where Spring calls an application at the end of a transaction. */
  enum Place {
    BEFORE_COMMIT,
    BEFORE_COMPLETION,
    AFTER_COMMIT,
    AFTER_COMPLETION,
    LISTENER_BEFORE_COMMIT,
    LISTENER,
    LISTENER_AFTER_COMPLETION;

    /** Has the work done there at the end of the running transaction. */
    void call(ApplicationContext context, Runnable work) {
      switch (this) {
        case LISTENER_BEFORE_COMMIT -> context.publishEvent(new Committing(work));
        case LISTENER -> context.publishEvent(new Placed(work));
        case LISTENER_AFTER_COMPLETION -> context.publishEvent(new Completed(work));
        default -> TransactionSynchronizationManager.registerSynchronization(new AtEnd(this, work));
      }
    }
  }

  /** Is called before all others. */
  record AtEnd(Place place, Runnable work) implements TransactionSynchronization {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    @Override
    public void beforeCommit(boolean isReadOnly) {
      runAt(Place.BEFORE_COMMIT);
    }

    @Override
    public void beforeCompletion() {
      runAt(Place.BEFORE_COMPLETION);
    }

    @Override
    public void afterCommit() {
      runAt(Place.AFTER_COMMIT);
    }

    @Override
    public void afterCompletion(int status) {
      runAt(Place.AFTER_COMPLETION);
    }

    private void runAt(Place called) {
      if (called == place) {
        work.run();
      }
    }
  }

  record Committing(Runnable work) {}

  record Placed(Runnable work) {}

  record Completed(Runnable work) {}

  static class Listeners {
    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    void on(Committing event) {
      event.work().run();
    }

    @TransactionalEventListener
    void on(Placed event) {
      event.work().run();
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
    void on(Completed event) {
      event.work().run();
    }
  }

  static class Invoices {
    @KairosHandler("write-invoice")
    String write() {
      return "written";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Application {
    @Bean
    DataSource dataSource() {
      HikariDataSource pool = Applications.pointed(new HikariDataSource(), URL, 10);
      pool.setAutoCommit(false);
      return pool;
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    Listeners listeners() {
      return new Listeners();
    }

    @Bean
    Invoices invoices() {
      return new Invoices();
    }
  }

  private static void run(ContextConsumer<AssertableApplicationContext> test) {
    Applications.alone()
        .withUserConfiguration(Application.class)
        .withPropertyValues("kairos.mode=in-process")
        .run(test);
  }

  @ParameterizedTest
  @EnumSource
  void a_task_is_stored_from_each_place_and_performed(Place place) {
    run(context -> {
      List<TaskId> ids = new CopyOnWriteArrayList<>();
      transaction(context)
          .executeWithoutResult(status -> place.call(context, () -> ids.add(schedule(context))));

      assertPerformed(context, ids, 1);
    });
  }

  @ParameterizedTest
  @EnumSource
  void what_has_joined_before_does_not_take_later_tasks_with_it(Place place) {
    run(context -> {
      List<TaskId> ids = new CopyOnWriteArrayList<>();
      transaction(context)
          .executeWithoutResult(status -> {
            ids.add(schedule(context));
            place.call(context, () -> ids.add(schedule(context)));
          });

      assertPerformed(context, ids, 2);
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_COMMIT", "LISTENER_BEFORE_COMMIT"})
  void before_the_commit_a_roll_back_takes_the_task_back(Place place) {
    run(context -> {
      long before = stored(context);

      assertThatThrownBy(() ->
              transaction(context)
                  .executeWithoutResult(status ->
                      place.call(
                          context,
                          () -> {
                            schedule(context);
                            throw new IllegalStateException("the order is refused");
                          })))
          .hasMessage("the order is refused");

      assertThat(stored(context)).isEqualTo(before);
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_COMPLETION", "LISTENER_AFTER_COMPLETION"})
  void a_task_that_a_roll_back_asks_for_is_stored(Place place) {
    run(context -> {
      List<TaskId> ids = new CopyOnWriteArrayList<>();
      transaction(context)
          .executeWithoutResult(status -> {
            place.call(context, () -> ids.add(schedule(context)));
            status.setRollbackOnly();
          });

      assertPerformed(context, ids, 1);
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_COMMIT", "AFTER_COMPLETION", "LISTENER"})
  void a_new_transaction_after_the_commit_is_joined(Place place) {
    run(context -> {
      TransactionTemplate own = transaction(context);
      own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      List<TaskId> ids = new CopyOnWriteArrayList<>();
      long before = stored(context);
      transaction(context)
          .executeWithoutResult(status ->
              place.call(
                  context,
                  () -> {
                    own.executeWithoutResult(inner -> {
                      schedule(context);
                      inner.setRollbackOnly();
                    });
                    own.executeWithoutResult(inner -> {
                      ids.add(schedule(context));
                      assertThat(stored(context)).as("before the commit").isEqualTo(before);
                    });
                  }));

      assertPerformed(context, ids, 1);
      assertThat(stored(context)).isEqualTo(before + 1);
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_COMMIT", "BEFORE_COMPLETION", "LISTENER_BEFORE_COMMIT"})
  void the_transaction_of_a_manager_that_is_no_bean_is_joined_before_its_commit(Place place) {
    run(context -> {
      List<TaskId> ids = new CopyOnWriteArrayList<>();
      byHand(context)
          .executeWithoutResult(status -> place.call(context, () -> ids.add(schedule(context))));

      assertPerformed(context, ids, 1);
    });
  }

  @Test
  void the_transaction_of_a_manager_that_is_no_bean_is_refused_after_its_commit() {
    run(context -> {
      long before = stored(context);

      assertThatThrownBy(() ->
              byHand(context)
                  .executeWithoutResult(
                      status -> Place.AFTER_COMMIT.call(context, () -> schedule(context))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make its manager a bean")
          .hasMessageContaining("kairos.transactions");
      assertThat(stored(context)).isEqualTo(before);
    });
  }

  private static TransactionTemplate transaction(ApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  private static TransactionTemplate byHand(ApplicationContext context) {
    return new TransactionTemplate(new JdbcTransactionManager(context.getBean(DataSource.class)));
  }

  private static TaskId schedule(ApplicationContext context) {
    return context.getBean(KairosTemplate.class).schedule("write-invoice", null);
  }

  private static long stored(ApplicationContext context) {
    return context
        .getBean(KairosClient.class)
        .list(TaskQuery.all().handler("write-invoice"))
        .tasks()
        .size();
  }

  private static void assertPerformed(ApplicationContext context, List<TaskId> ids, int number) {
    assertThat(ids).hasSize(number);
    for (TaskId id : ids) {
      assertThat(context.getBean(KairosClient.class).await(id, PATIENCE))
          .isInstanceOf(TaskOutcome.Succeeded.class);
    }
  }
}
