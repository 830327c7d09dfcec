package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.kairos.client.LocalNodeProvider;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedPostgres;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Starts of applications with a node inside that cannot be. */
class RefusedInProcessTest {
  private final String url = EmbeddedPostgres.shared().newDatabase();

  interface Images {
    @KairosTask("resize-imgae")
    TaskId resize(byte[] picture);
  }

  static class Work {
    @KairosHandler("resize-image")
    void resize() {}
  }

  /** Schedules too early. */
  static class Eager {
    Eager(KairosTemplate kairos) {
      kairos.schedule("resize-image", null);
    }
  }

  private static ApplicationContextRunner application() {
    return Applications.alone().withPropertyValues("kairos.mode=in-process");
  }

  private ApplicationContextRunner application(int pool) {
    return application().withBean("pool", DataSource.class, () -> pool(pool));
  }

  private HikariDataSource pool(int most) {
    return Applications.pointed(new HikariDataSource(), url, most);
  }

  @Test
  void without_the_library_the_dependency_is_named() {
    failed(
        application(10)
            .withClassLoader(
                new FilteredClassLoader(
                    new ClassPathResource(
                        "META-INF/services/" + LocalNodeProvider.class.getName()))),
        "is not on the class path",
        "Add the dependency io.kairos:kairos-in-process");
  }

  @Test
  void on_an_older_java_the_needed_one_is_named() {
    ClassLoader loader = getClass().getClassLoader();

    assertThatThrownBy(() -> InProcessNodes.provider(21, loader))
        .isInstanceOf(KairosConfigurationException.class)
        .hasMessageContaining("needs Java 25: this is Java 21.")
        .hasMessageContaining("set kairos.mode to server");
    assertThat(InProcessNodes.provider(25, loader)).isNotNull();
  }

  @Test
  void without_a_data_source_it_says_what_to_add() {
    failed(application(), "has no DataSource", "Add spring-boot-starter-jdbc");
    failed(
        application().withPropertyValues("kairos.in-process.data-source=jobs"),
        "has no DataSource",
        "Add spring-boot-starter-jdbc");
  }

  @Test
  void with_several_data_sources_it_says_how_to_name_one() {
    failed(
        application(10).withBean("other", DataSource.class, HikariDataSource::new),
        "several DataSources: pool, other",
        "Name one of them by kairos.in-process.data-source, or make it @Primary.");
    failed(
        application(10).withPropertyValues("kairos.in-process.data-source=jobs"),
        "kairos.in-process.data-source is 'jobs', and no DataSource has this name",
        "Set it to one of pool.");
  }

  @Test
  void a_primary_data_source_is_the_nodes() {
    application(10)
        .withBean(
            "other", DataSource.class, HikariDataSource::new, other -> other.setFallback(true))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void a_pool_with_too_few_connections_ends_the_start() {
    failed(
        application(4),
        "has given 4 connections, and Kairos keeps 5",
        "kairos.in-process.*: schema(...), connections(...)");
    failed(
        application(5),
        "has given 5 connections, and Kairos keeps 5",
        "kairos.in-process.*: schema(...), connections(...)");
    application(4)
        .withPropertyValues("kairos.in-process.connections=3")
        .run(context -> assertThat(context).hasNotFailed());
    failed(
        application(4).withPropertyValues("kairos.in-process.connections=2"),
        "connections must be 3 to 100",
        "kairos.in-process.*");
  }

  @Test
  void a_schema_that_is_newer_than_the_library_ends_the_start() {
    application(10).run(context -> assertThat(context).hasNotFailed());
    try (HikariDataSource database = pool(1)) {
      new JdbcTemplate(database)
          .execute(
              "insert into kairos.flyway_schema_history select 1000, '999', 'contract after 998"
                  + " drop it', 'SQL', 'V999', 1, 'x', now(), 1, true");
    }

    failed(application(10), "needs nodes that know version 998", "Change the database");
  }

  @Test
  void a_schema_that_may_not_be_changed_and_is_missing_ends_the_start() {
    failed(
        application(10).withPropertyValues("kairos.in-process.migrate=false"),
        "kairos schema print",
        "Change the database");
  }

  @Test
  void an_interface_of_tasks_for_a_handler_that_nobody_has_ends_the_start() {
    ApplicationContextRunner misspelled =
        application(10)
            .withBean("work", Work.class, Work::new)
            .withBean("images", KairosTasksFactory.class, Images.class);

    failed(
        misspelled,
        "The method resize of " + Images.class.getName() + " schedules 'resize-imgae'",
        "kairos.in-process.handled-elsewhere");
    misspelled
        .withPropertyValues("kairos.in-process.handled-elsewhere=resize-imgae")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void a_task_that_is_scheduled_before_the_node_has_started_says_when_it_does() {
    application(10)
        .withBean("work", Work.class, Work::new)
        .withBean("eager", Eager.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("starts when all beans are there")
                .hasMessageContaining("ApplicationRunner"));
  }

  private static void failed(ApplicationContextRunner application, String wrong, String action) {
    application.run(context -> {
      assertThat(context).hasFailed();
      FailureAnalysis analysis =
          new KairosFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
      assertThat(requireNonNull(analysis, "not analyzed").getDescription()).contains(wrong);
      assertThat(analysis.getAction()).contains(action);
    });
  }
}
