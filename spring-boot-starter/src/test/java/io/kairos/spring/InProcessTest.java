package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskRequest;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.embedded.EmbeddedPostgres;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** Applications with a node inside, on a pool of HikariCP and without any server. */
class InProcessTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final String url = EmbeddedPostgres.shared().newDatabase();

  record Resize(String picture, int width) {}

  /** A pool that notes how many of its connections are in use when it is closed. */
  static final class Pool extends HikariDataSource {
    static final List<Integer> CLOSED = new CopyOnWriteArrayList<>();

    @Override
    public void close() {
      if (!isClosed() && getHikariPoolMXBean() != null) {
        CLOSED.add(getHikariPoolMXBean().getActiveConnections());
      }
      super.close();
    }

    static Pool of(String url, int most) {
      return Applications.pointed(new Pool(), url, most);
    }
  }

  /** What Flyway would do. */
  static final class Migrations {
    final boolean isBeforeKairos;

    Migrations(JdbcTemplate jdbc) {
      jdbc.execute("create table if not exists orders (id text primary key, invoiced boolean)");
      isBeforeKairos =
          jdbc.queryForList("select nspname from pg_namespace where nspname = 'kairos'").isEmpty();
    }
  }

  static class Images {
    @KairosHandler(name = "resize-image", attempts = 3)
    String resize(Resize resize) {
      return resize.picture() + " " + resize.width();
    }

    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void nightly() {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Application {
    @Bean
    DataSource dataSource(Environment environment) {
      return Pool.of(
          environment.getRequiredProperty("test.url"),
          environment.getProperty("test.pool", Integer.class, 10));
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
    Migrations migrations(JdbcTemplate jdbc) {
      return new Migrations(jdbc);
    }

    @Bean
    Orders orders(JdbcTemplate jdbc, KairosTemplate kairos) {
      return new Orders(jdbc, kairos);
    }

    @Bean
    Images images() {
      return new Images();
    }
  }

  /** Its kairos.address leads nowhere. */
  private ApplicationContextRunner application() {
    return Applications.alone()
        .withUserConfiguration(Application.class)
        .withPropertyValues("kairos.mode=in-process", "test.url=" + url);
  }

  @Test
  void a_task_is_performed_without_a_server() {
    application()
        .run(context -> {
          TaskId id =
              context
                  .getBean(KairosTemplate.class)
                  .schedule("resize-image", new Resize("42.png", 300), Duration.ofMillis(200));

          assertThat(result(context, id)).isEqualTo("\"42.png 300\"");
          Task task = context.getBean(KairosClient.class).get(id);
          assertThat(task.retryPolicy().maxAttempts()).isEqualTo(3);
          assertThat(task.createdAt()).isBefore(task.runAt());
        });
  }

  @Test
  void the_node_starts_after_migrations_and_gives_its_connections_back_before_the_pool_closes() {
    Pool.CLOSED.clear();
    application()
        .run(context -> {
          assertThat(context.getBean(Migrations.class).isBeforeKairos).isTrue();
          assertThat(context.getBean(Pool.class).getHikariPoolMXBean().getActiveConnections())
              .isPositive();
        });

    assertThat(Pool.CLOSED).containsExactly(0);
  }

  @Test
  void a_row_and_its_task_commit_together_and_roll_back_together() {
    application()
        .run(context -> {
          Orders orders = context.getBean(Orders.class);
          JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);

          TaskId kept = orders.place("order-1", false);
          assertThatThrownBy(() -> orders.place("order-2", true))
              .hasMessage("the order is refused");

          assertThat(result(context, kept)).isEqualTo("\"order-1 1\"");
          assertThat(jdbc.queryForList("select id from orders where invoiced", String.class))
              .containsExactly("order-1");
          assertThat(jdbc.queryForList("select id from orders", String.class)).hasSize(1);
          assertThat(tasks(context, "write-invoice")).extracting(Task::id).containsExactly(kept);
        });
  }

  @Test
  void a_restarted_application_goes_on() {
    TaskId[] id = new TaskId[1];
    application()
        .withPropertyValues("kairos.worker.enabled=false")
        .run(context ->
            id[0] =
                context
                    .getBean(KairosTemplate.class)
                    .schedule("resize-image", new Resize("1.png", 1)));

    application().run(context -> assertThat(result(context, id[0])).isEqualTo("\"1.png 1\""));
  }

  /** Its handler ends when two run at once. */
  static class Meeting {
    private final CountDownLatch both;
    private final Set<String> places;
    private final String place;

    Meeting(CountDownLatch both, Set<String> places, String place) {
      this.both = both;
      this.places = places;
      this.place = place;
    }

    @KairosHandler("meet")
    void meet() throws InterruptedException {
      places.add(place);
      both.countDown();
      assertThat(both.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void two_applications_share_the_work() {
    CountDownLatch both = new CountDownLatch(2);
    Set<String> places = ConcurrentHashMap.newKeySet();
    ApplicationContextRunner oneAtATime =
        application()
            .withPropertyValues("kairos.worker.concurrency=1", "kairos.worker.local-buffer=0");
    oneAtATime
        .withBean("meeting", Meeting.class, () -> new Meeting(both, places, "first"))
        .run(first ->
            oneAtATime
                .withBean("meeting", Meeting.class, () -> new Meeting(both, places, "second"))
                .run(second -> {
                  KairosTemplate template = second.getBean(KairosTemplate.class);
                  List<TaskId> ids =
                      template.scheduleAll(
                          List.of(
                              template.task("meet", null).build(),
                              template.task("meet", null).build()));

                  for (TaskId id : ids) {
                    assertThat(outcome(first, id)).isInstanceOf(TaskOutcome.Succeeded.class);
                  }
                  assertThat(places).containsExactlyInAnyOrder("first", "second");
                }));
  }

  /** Its handler ends when the test lets it. */
  static class Slow {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @KairosHandler("slow")
    void slow() throws InterruptedException {
      begun.countDown();
      assertThat(goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_stop_waits_for_the_handler_at_work() {
    TaskId[] id = new TaskId[1];
    application()
        .withBean("slow", Slow.class, Slow::new)
        .run(context -> {
          id[0] = context.getBean(KairosTemplate.class).schedule("slow", null);
          Slow slow = context.getBean(Slow.class);
          assertThat(slow.begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
          Thread stop = new Thread(context.getSourceApplicationContext()::close);
          stop.start();
          slow.goOn.countDown();
          stop.join();
        });

    application()
        .run(context ->
            assertThat(context.getBean(KairosClient.class).get(id[0]).state())
                .isEqualTo(TaskState.SUCCEEDED));
  }

  @Test
  void an_application_that_is_stopped_and_started_again_goes_on() {
    application()
        .run(context -> {
          context.stop();
          TaskId id =
              context
                  .getBean(KairosTemplate.class)
                  .schedule("resize-image", new Resize("1.png", 1));
          context.start();

          assertThat(result(context, id)).isEqualTo("\"1.png 1\"");
        });
  }

  @Test
  void schedules_health_endpoint_and_observations_are_those_of_the_server_mode() {
    ObservedNames observed = new ObservedNames();
    application()
        .withPropertyValues("management.endpoints.web.exposure.include=kairos")
        .withBean(ObservationRegistry.class, observed::registry)
        .run(context -> {
          TaskId id =
              context.getBean(KairosTemplate.class).schedule("resize-image", new Resize("1", 1));
          assertThat(result(context, id)).isEqualTo("\"1 1\"");

          assertThat(observed.names())
              .containsExactly(
                  "kairos.schedule schedule resize-image", "kairos.perform perform resize-image");
          assertThat(
                  context
                      .getBean(KairosClient.class)
                      .schedules()
                      .get("spring/shop/nightly")
                      .nextFireTime())
              .isNotNull();
          assertThat(context.getBean(KairosEndpoint.class).tasks().handlers())
              .containsOnlyKeys("nightly", "resize-image", "write-invoice");
          assertThat(health(context)).isEqualTo("UP {tasks=the node inside answers}");
        });
  }

  /** Its class is another in Spring Boot 3 and 4. */
  private static String health(ApplicationContext context) throws Exception {
    Object indicator = context.getBean("kairosHealthIndicator");
    Method check = indicator.getClass().getMethod("health");
    check.setAccessible(true);
    Object health = requireNonNull(check.invoke(indicator));
    return health.getClass().getMethod("getStatus").invoke(health)
        + " "
        + health.getClass().getMethod("getDetails").invoke(health);
  }

  @Test
  void a_payload_that_does_not_parse_fails_for_good_with_the_reason() {
    application()
        .run(context -> {
          KairosClient client = context.getBean(KairosClient.class);
          TaskId id =
              client.schedule(
                  TaskRequest.to("resize-image").payload("{\"width\":\"wide\"}").build());

          assertThat(outcome(context, id)).isInstanceOf(TaskOutcome.Failed.class);
          assertThat(client.get(id).failures())
              .singleElement()
              .satisfies(failure ->
                  assertThat(failure.error())
                      .contains("the payload cannot be decoded", "Resize", "$.width"));
        });
  }

  @Test
  void a_task_for_a_handler_that_nobody_has_is_refused_where_it_is_scheduled() {
    application()
        .withPropertyValues("kairos.in-process.handled-elsewhere=theirs")
        .run(context -> {
          KairosTemplate template = context.getBean(KairosTemplate.class);

          assertThatThrownBy(() -> template.schedule("resize-imgae", null))
              .isInstanceOf(InvalidRequestException.class)
              .hasMessageContaining("resize-imgae")
              .hasMessageContaining("[nightly, resize-image, write-invoice]");
          assertThatThrownBy(() -> context.getBean(Orders.class).misspell())
              .isInstanceOf(InvalidRequestException.class)
              .hasMessageContaining("handler: is write-invoices");
          assertThat(template.schedule("theirs", null)).isNotNull();
        });
  }

  @Test
  void the_schema_of_the_property_is_used_also_in_transactions() {
    application()
        .withPropertyValues("kairos.in-process.schema=jobs")
        .run(context -> {
          TaskId id = context.getBean(Orders.class).place("order-1", false);

          assertThat(result(context, id)).isEqualTo("\"order-1 1\"");
          assertThat(
                  context
                      .getBean(JdbcTemplate.class)
                      .queryForList(
                          "select nspname from pg_namespace where nspname in ('jobs', 'kairos')",
                          String.class))
              .containsExactly("jobs");
        });
  }

  @Test
  void transactions_join_on_the_named_data_source() {
    Applications.alone()
        .withUserConfiguration(Named.class)
        .withPropertyValues(
            "kairos.mode=in-process", "kairos.in-process.data-source=jobs", "test.url=" + url)
        .run(context -> {
          TaskId id = context.getBean(Orders.class).place("order-1", false);

          assertThat(result(context, id)).isEqualTo("\"order-1 1\"");
        });
  }

  /** Two pools, and none is primary. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Named {
    @Bean
    DataSource jobs(Environment environment) {
      return Pool.of(environment.getRequiredProperty("test.url"), 10);
    }

    @Bean
    DataSource other() {
      return new HikariDataSource();
    }

    @Bean
    PlatformTransactionManager transactionManager(@Qualifier("jobs") DataSource jobs) {
      return new JdbcTransactionManager(jobs);
    }

    @Bean
    Migrations migrations(@Qualifier("jobs") DataSource jobs) {
      return new Migrations(new JdbcTemplate(jobs));
    }

    @Bean
    Orders orders(@Qualifier("jobs") DataSource jobs, KairosTemplate kairos) {
      return new Orders(new JdbcTemplate(jobs), kairos);
    }
  }

  private static TaskOutcome outcome(AssertableApplicationContext context, TaskId id) {
    return context.getBean(KairosClient.class).await(id, PATIENCE);
  }

  private static String result(AssertableApplicationContext context, TaskId id) {
    TaskOutcome outcome = outcome(context, id);
    assertThat(outcome).isInstanceOf(TaskOutcome.Succeeded.class);
    return ((TaskOutcome.Succeeded) outcome).result().orElseThrow().text();
  }

  private static List<Task> tasks(AssertableApplicationContext context, String handler) {
    return context.getBean(KairosClient.class).list(TaskQuery.all().handler(handler)).tasks();
  }
}
