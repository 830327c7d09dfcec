package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.handler.TaskContext;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;

class RefusedMethodsTest {
  static class PrivateMethod {
    @SuppressWarnings("UnusedMethod")
    @KairosHandler("x")
    private void handle() {}
  }

  static class StaticMethod {
    @KairosHandler("x")
    static void handle() {}
  }

  static class TwoPayloads {
    @KairosHandler("x")
    void handle(String one, String other) {}
  }

  static class TwoContexts {
    @KairosHandler("x")
    void handle(TaskContext one, TaskContext other) {}
  }

  static class NoName {
    @KairosHandler
    void handle() {}
  }

  static class WrongName {
    @KairosHandler("resize image")
    void handle() {}
  }

  static class Later {
    @KairosHandler("x")
    CompletableFuture<String> handle() {
      return CompletableFuture.completedFuture("");
    }
  }

  static class OnAnotherThread {
    @Async
    @KairosHandler("x")
    void handle() {}
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Async("mail")
  @interface Mailing {}

  static class OnAnotherThreadByItsOwnAnnotation {
    @Mailing
    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void report() {}
  }

  static class Base {
    @KairosHandler("x")
    void handle() {}
  }

  @Async
  static class ClassOnAnotherThread extends Base {}

  static class WrongLength {
    @KairosHandler(name = "x", executionTimeout = "soon")
    void handle() {}
  }

  static class WrongPriority {
    @KairosHandler(name = "x", priority = 101)
    void handle() {}
  }

  static class Same {
    @KairosHandler("x")
    void one() {}

    @KairosHandler("x")
    void other() {}
  }

  static class ScheduleWithPayload {
    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void report(String payload) {}
  }

  static class SameSchedule {
    @KairosHandler("one")
    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void one() {}

    @KairosHandler("other")
    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void other() {}
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        refused(PrivateMethod::new, "is private", "public"),
        refused(StaticMethod::new, "is static", "of the bean"),
        refused(TwoPayloads::new, "takes two payloads", "at most one payload"),
        refused(TwoContexts::new, "takes two contexts", "at most one TaskContext"),
        refused(NoName::new, "has no name", "1 to 128"),
        refused(WrongName::new, "has the name 'resize image'", "1 to 128"),
        refused(Later::new, "returns a CompletableFuture", "Wait in the method"),
        refused(OnAnotherThread::new, "has @Async", "Remove it"),
        refused(OnAnotherThreadByItsOwnAnnotation::new, "has @Async", "Remove it"),
        refused(WrongLength::new, "the length of time 'soon'", "Write it like 5m"),
        refused(WrongPriority::new, "priority 101", "0 to 100"),
        refused(Same::new, "Two handlers have the name 'x'", "another name"),
        refused(ScheduleWithPayload::new, "takes a payload, which nobody gives it", "TaskContext"),
        refused(SameSchedule::new, "Two schedules have the name 'nightly'", "another name"));
  }

  private static Arguments refused(Supplier<Object> bean, String wrong, String action) {
    return Arguments.of(bean, wrong, action);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refused_at_the_start(Supplier<Object> bean, String wrong, String action) {
    failed(
        Applications.alone().withBean("images", Object.class, bean),
        wrong,
        action,
        "of the bean 'images' (" + bean.get().getClass().getName() + ")");
  }

  @Test
  void a_class_whose_methods_run_on_another_thread_is_refused() {
    failed(
        Applications.alone().withBean("images", Object.class, ClassOnAnotherThread::new),
        "is in a class with @Async, and the task would have ended before its work",
        "Remove it: handlers already run on threads of the worker.",
        "the method handle() of the bean 'images'");
  }

  @Test
  void one_name_in_two_beans_names_both() {
    failed(
        Applications.alone()
            .withBean("one", Twin.class, Twin::new)
            .withBean("other", Twin.class, Twin::new),
        "Two handlers have the name 'twin'",
        "another name",
        "the method handle() of the bean 'one'");
  }

  static class Twin {
    @KairosHandler("twin")
    void handle() {}
  }

  @Test
  void a_payload_without_jackson_says_what_to_add() {
    failed(
        new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(KairosAutoConfiguration.class))
            .withBean("images", OnePayload.class, OnePayload::new),
        "the application has no Jackson",
        "spring-boot-starter-jackson",
        "The method handle(Integer) of the bean 'images'");
  }

  static class OnePayload {
    @KairosHandler("x")
    void handle(Integer payload) {}
  }

  @Test
  void schedules_without_a_name_of_the_application_say_what_to_set() {
    failed(
        Applications.alone()
            .withPropertyValues("spring.application.name=")
            .withBean("reports", Reports.class, Reports::new),
        "no name to know them again by",
        "Set spring.application.name, or kairos.schedules.prefix.",
        "the method report() of the bean 'reports'");
  }

  @Test
  void a_name_of_the_application_that_another_could_be_taken_for_is_refused_for_schedules() {
    failed(
        Applications.alone()
            .withPropertyValues("spring.application.name=a b")
            .withBean("reports", Reports.class, Reports::new),
        "'a b' has more than letters, digits and . _ -",
        "Set spring.application.name, or kairos.schedules.prefix.",
        "the method report() of the bean 'reports'");
  }

  static class Reports {
    @KairosSchedule(name = "nightly", cron = "0 3 * * *")
    void report() {}
  }

  @Test
  void half_a_certificate_says_what_is_missing() {
    failed(
        Applications.alone().withPropertyValues("kairos.tls.key=/etc/key.pem"),
        "One of kairos.tls.certificate and kairos.tls.key is set",
        "Set both of them.",
        "kairos.tls.key");
  }

  private static void failed(
      ApplicationContextRunner application, String wrong, String action, String place) {
    application.run(context -> {
      assertThat(context).hasFailed();
      FailureAnalysis analysis =
          new KairosFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
      assertThat(requireNonNull(analysis, "not analyzed").getDescription())
          .contains(wrong)
          .containsIgnoringCase(place);
      assertThat(analysis.getAction()).contains(action);
    });
  }
}
