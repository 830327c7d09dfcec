package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import io.kairos.junit.KairosExtension;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class OperationTest {
  @RegisterExtension static final KairosExtension KAIROS = new KairosExtension();

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  static class Work {
    final List<String> done = new CopyOnWriteArrayList<>();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @KairosHandler("quick")
    void quick() {
      done.add(String.valueOf(Thread.currentThread()));
    }

    @KairosHandler("slow")
    void slow() throws InterruptedException {
      begun.countDown();
      assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void nightly() {}
  }

  private static ApplicationContextRunner application() {
    return Applications.at(KAIROS).withBean("work", Work.class, Work::new);
  }

  @Test
  void a_stop_waits_for_the_handler_at_work() throws Exception {
    TaskId[] id = new TaskId[1];
    application()
        .run(context -> {
          id[0] = context.getBean(KairosTemplate.class).schedule("slow", null);
          Work work = context.getBean(Work.class);
          assertThat(work.begun.await(30, TimeUnit.SECONDS)).isTrue();
          CountDownLatch stopping = new CountDownLatch(1);
          Thread stop =
              new Thread(() -> {
                stopping.countDown();
                context.getSourceApplicationContext().close();
              });
          stop.start();
          stopping.await();
          work.goOn.countDown();
          stop.join();
        });

    assertThat(KAIROS.client().get(id[0]).state()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void handlers_are_on_virtual_threads_where_the_application_is() {
    application()
        .withPropertyValues("spring.threads.virtual.enabled=true")
        .run(context -> {
          TaskId id = context.getBean(KairosTemplate.class).schedule("quick", null);
          KAIROS.client().await(id, Duration.ofMinutes(1));

          assertThat(context.getBean(Work.class).done)
              .singleElement()
              .asString()
              .startsWith("VirtualThread");
        });
  }

  @Test
  void schedule_and_attempt_are_observed_and_the_trace_goes_with_the_task() {
    ObservedNames observed = new ObservedNames(TRACE);
    application()
        .withBean(ObservationRegistry.class, observed::registry)
        .run(context -> {
          TaskId id = context.getBean(KairosTemplate.class).schedule("quick", null);
          KAIROS.client().await(id, Duration.ofMinutes(1));

          assertThat(observed.names())
              .containsExactly("kairos.schedule schedule quick", "kairos.perform perform quick");
          assertThat(context.getBean(KairosClient.class).get(id).traceparent()).isEqualTo(TRACE);
        });
  }

  @Test
  void the_endpoint_shows_handlers_and_schedules() {
    application()
        .withPropertyValues("management.endpoints.web.exposure.include=kairos")
        .run(context -> {
          KairosEndpoint.Description tasks = context.getBean(KairosEndpoint.class).tasks();

          assertThat(tasks.handlers()).containsOnlyKeys("nightly", "quick", "slow");
          assertThat(tasks.handlers().get("quick"))
              .isEqualTo("the method quick() of the bean 'work' (" + Work.class.getName() + ")");
          assertThat(tasks.schedules()).containsOnlyKeys("spring/shop/nightly");
          assertThat(tasks.removedSchedules()).isEmpty();
        });
  }

  @Test
  void health_says_whether_a_node_answers() {
    application().run(context -> assertThat(health(context)).isEqualTo("UP {tasks=nodes answer}"));
    Applications.alone().run(context -> assertThat(health(context)).startsWith("DOWN {error="));
    application()
        .withPropertyValues("management.health.kairos.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("kairosHealthIndicator"));
  }

  /** Its classes are others in Spring Boot 3 and 4. */
  private static String health(ApplicationContext context) throws Exception {
    Object indicator = context.getBean("kairosHealthIndicator");
    Method check = indicator.getClass().getMethod("health");
    check.setAccessible(true);
    Object health = requireNonNull(check.invoke(indicator));
    Object status = health.getClass().getMethod("getStatus").invoke(health);
    Object details = health.getClass().getMethod("getDetails").invoke(health);
    return status + " " + details;
  }

  @Test
  void switched_off_there_is_nothing() {
    application()
        .withPropertyValues("kairos.enabled=false")
        .run(context ->
            assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(KairosTemplate.class)
                .doesNotHaveBean(KairosEndpoint.class));
  }

  @Test
  void a_prefix_of_schedules_ends_with_a_slash() {
    List<String> calls = new CopyOnWriteArrayList<>();
    Applications.alone()
        .withPropertyValues("kairos.schedules.prefix=billing")
        .withBean("work", Work.class, Work::new)
        .withBean(KairosMode.class, () -> new NotedMode(calls))
        .run(context -> assertThat(calls).contains("apply billing/nightly"));
  }

  @Test
  void a_mode_of_the_application_takes_the_place_of_the_server() {
    List<String> calls = new CopyOnWriteArrayList<>();
    Applications.alone()
        .withBean("work", Work.class, Work::new)
        .withBean(KairosMode.class, () -> new NotedMode(calls))
        .run(context -> {
          context.getBean(KairosTemplate.class).schedule("elsewhere", null);

          assertThat(context).doesNotHaveBean(KairosClient.class);
          assertThat(calls)
              .containsExactly(
                  "apply spring/shop/nightly", "perform [nightly, quick, slow]", "schedule 1");
        });
    assertThat(calls).endsWith("drain", "close");
  }
}
