package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskRequest;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import io.kairos.junit.KairosExtension;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class HandlerMethodsTest {
  @RegisterExtension static final KairosExtension KAIROS = new KairosExtension();

  record Resize(String picture, @Max(1000) int width) {}

  record Resized(String url) {}

  static class Images {
    final List<String> done = new CopyOnWriteArrayList<>();

    @KairosHandler(name = "resize-image", attempts = 3, executionTimeout = "5m", priority = 70)
    Resized resize(@Valid Resize resize, TaskContext context) {
      done.add(resize.picture() + " " + context.attempt());
      return new Resized("/" + resize.picture());
    }

    @KairosHandler("many")
    public void many(TaskContext context, List<Resize> all) {
      done.add(all.get(1).picture());
    }

    @KairosHandler("${handler.raw}")
    public byte[] raw(byte[] payload) {
      return payload;
    }

    @KairosHandler("empty")
    public void empty() {
      done.add("empty");
    }

    @KairosHandler("fatal")
    public void fatal() {
      throw new FatalFailure("no such picture");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Application {
    @Bean
    Object images() { // its class is known when it is there
      return new Images();
    }
  }

  private static ApplicationContextRunner application() {
    return Applications.at(KAIROS)
        .withUserConfiguration(Application.class)
        .withPropertyValues("handler.raw=raw/bytes");
  }

  @Test
  void a_task_reaches_the_method_with_its_payload_and_context_and_has_its_result() {
    application()
        .run(context -> {
          Images images = (Images) context.getBean("images");
          KairosTemplate template = context.getBean(KairosTemplate.class);

          TaskId id =
              template.schedule("resize-image", new Resize("42.png", 300), Duration.ofMinutes(5));
          assertThat(images.done).isEmpty();
          KAIROS.advance(Duration.ofMinutes(5));

          Task task = ended(id);
          assertThat(images.done).containsExactly("42.png 1");
          assertThat(task.state()).isEqualTo(TaskState.SUCCEEDED);
          assertThat(task.priority()).isEqualTo(70);
          TaskResult result = requireNonNull(task.resultValue());
          assertThat(result.text()).isEqualTo("{\"url\":\"/42.png\"}");
          assertThat(result.contentType()).isEqualTo("application/json");
        });
  }

  @Test
  void attempts_of_the_annotation_are_those_of_the_task() {
    application()
        .run(context -> {
          TaskId id =
              context
                  .getBean(KairosTemplate.class)
                  .schedule("resize-image", new Resize("1.png", 1), Duration.ofDays(1));

          Task task = client(context).get(id);

          assertThat(task.retryPolicy().maxAttempts()).isEqualTo(3);
        });
  }

  @Test
  void generic_raw_and_missing_payloads_are_taken() {
    application()
        .run(context -> {
          Images images = (Images) context.getBean("images");
          KairosTemplate template = context.getBean(KairosTemplate.class);

          ended(template.schedule("many", List.of(new Resize("1.png", 1), new Resize("2.png", 2))));
          ended(template.schedule("empty", null));
          Task raw = ended(template.schedule("raw/bytes", new byte[] {1, 2, 3}));

          assertThat(images.done).containsExactlyInAnyOrder("2.png", "empty");
          assertThat(requireNonNull(raw.resultValue()).as(PayloadCodec.bytes()))
              .containsExactly(1, 2, 3);
        });
  }

  @Test
  void a_payload_that_does_not_parse_fails_for_good_with_the_reason() {
    application()
        .run(context -> {
          TaskId id =
              KAIROS
                  .client()
                  .schedule(
                      TaskRequest.to("resize-image")
                          .payload("{\"picture\":\"a secret\",\"width\":\"wide\"}")
                          .build());

          Task task = ended(id);
          assertThat(task.state()).isEqualTo(TaskState.FAILED);
          assertThat(task.toString()).doesNotContain("a secret");
          assertThat(task.failures().get(0).error())
              .contains("the payload cannot be decoded", "Resize", "$.width")
              .doesNotContain("wide");
        });
  }

  @Test
  void a_payload_that_is_not_valid_fails_for_good_with_place_and_rule() {
    application()
        .run(context -> {
          TaskId id =
              context
                  .getBean(KairosTemplate.class)
                  .schedule("resize-image", new Resize("1.png", 4711));

          Task task = ended(id);
          assertThat(task.state()).isEqualTo(TaskState.FAILED);
          assertThat(task.failures().get(0).error())
              .contains("width breaks @Max")
              .doesNotContain("4711");
        });
  }

  @Test
  void exceptions_of_the_method_mean_what_they_mean_for_handlers() {
    application()
        .run(context -> {
          TaskId id = context.getBean(KairosTemplate.class).schedule("fatal", null);

          Task task = ended(id);
          assertThat(task.state()).isEqualTo(TaskState.FAILED);
          assertThat(task.failures().get(0).error()).contains("no such picture");
        });
  }

  @Test
  void calls_go_through_the_proxy_of_the_bean() {
    List<String> seen = new CopyOnWriteArrayList<>();
    application()
        .withBean(
            "proxies",
            BeanPostProcessor.class,
            () ->
                new BeanPostProcessor() {
                  @Override
                  public Object postProcessAfterInitialization(Object bean, String name) {
                    if (!name.equals("images")) {
                      return bean;
                    }
                    ProxyFactory factory = new ProxyFactory(bean);
                    factory.setProxyTargetClass(true);
                    factory.addAdvice(
                        (MethodInterceptor)
                            call -> {
                              seen.add(call.getMethod().getName());
                              return call.proceed();
                            });
                    return factory.getProxy();
                  }
                })
        .run(context -> {
          ended(context.getBean(KairosTemplate.class).schedule("empty", null));

          assertThat(seen).contains("empty");
        });
  }

  /** Waits until it has ended, however long its worker takes to start. */
  private static Task ended(TaskId id) {
    KAIROS.client().await(id, Duration.ofMinutes(1));
    return KAIROS.client().get(id);
  }

  private static KairosClient client(AssertableApplicationContext context) {
    return context.getBean(KairosClient.class);
  }
}
