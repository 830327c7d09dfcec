package io.kairos.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.ScheduleClient;
import io.kairos.client.ScheduleQuery;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.ScheduleStatus;
import io.kairos.client.ScheduleStatus.State;
import io.kairos.junit.KairosExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class SchedulesTest {
  @RegisterExtension
  final KairosExtension kairos = KairosExtension.startingAt(Instant.parse("2030-01-01T00:00:00Z"));

  private static final List<String> DONE = new CopyOnWriteArrayList<>();

  static class Reports {
    @KairosSchedule(
        name = "nightly",
        cron = "${cron:0 3 * * *}",
        zone = "Europe/Berlin",
        overlap = ScheduleSpec.Overlap.BUFFER_ONE,
        catchUp = ScheduleSpec.CatchUp.NONE)
    void nightly() {
      DONE.add("nightly");
    }
  }

  static class More {
    @KairosHandler(name = "weekly-report", attempts = 2)
    @KairosSchedule(name = "weekly", cron = "0 4 * * 1")
    void weekly() {}
  }

  private ApplicationContextRunner reports() {
    return Applications.at(kairos).withBean("reports", Reports.class, Reports::new);
  }

  private ScheduleClient schedules() {
    return kairos.client().schedules();
  }

  @Test
  void a_method_is_performed_at_each_fire_time() {
    DONE.clear();
    reports()
        .run(context -> {
          kairos.advance(Duration.ofDays(2));

          assertThat(DONE).containsExactly("nightly", "nightly");
          ScheduleStatus stored = schedules().get("spring/shop/nightly");
          assertThat(stored.nextFireTime()).isEqualTo("2030-01-03T02:00:00Z");
          assertThat(
                  schedules()
                      .dryRun(
                          ScheduleSpec.named("spring/shop/nightly")
                              .cron("0 3 * * *")
                              .zone("Europe/Berlin")
                              .overlap(ScheduleSpec.Overlap.BUFFER_ONE)
                              .catchUp(ScheduleSpec.CatchUp.NONE)
                              .handler("nightly")
                              .build())
                      .changes())
              .isEmpty();
        });
  }

  @Test
  void one_that_is_removed_is_paused_and_reported_and_goes_on_when_it_is_back() {
    schedules().create(ScheduleSpec.named("by-hand").cron("0 5 * * *").handler("x").build());
    ApplicationContextRunner both = reports().withBean("more", More.class, More::new);
    both.run(context -> assertThat(state("weekly")).isEqualTo(State.ACTIVE));

    reports()
        .withPropertyValues("spring.profiles.active=web")
        .run(context -> {
          assertThat(state("weekly")).isEqualTo(State.PAUSED);
          assertThat(schedules().get("spring/shop/weekly").note())
              .startsWith("not declared by the application any more: paused by shop ")
              .contains(ProcessHandle.current().pid() + "@")
              .endsWith(" with the profiles web");
          assertThat(context.getBean(ScheduleReconciler.class).removed())
              .containsExactly("spring/shop/weekly");
          assertThat(state("nightly")).isEqualTo(State.ACTIVE);
          assertThat(schedules().get("by-hand").state()).isEqualTo(State.ACTIVE);
        });

    both.run(context -> {
      assertThat(state("weekly")).isEqualTo(State.ACTIVE);
      assertThat(context.getBean(ScheduleReconciler.class).removed()).isEmpty();
    });
  }

  @Test
  void an_instance_without_schedules_of_its_own_may_leave_those_of_others() {
    reports()
        .run(context -> {
          Applications.at(kairos)
              .withPropertyValues("kairos.schedules.enabled=false")
              .run(web -> assertThat(state("nightly")).isEqualTo(State.ACTIVE));
          Applications.at(kairos)
              .withPropertyValues("kairos.schedules.prefix=web")
              .run(web -> assertThat(state("nightly")).isEqualTo(State.ACTIVE));
          Applications.at(kairos).run(web -> assertThat(state("nightly")).isEqualTo(State.PAUSED));
        });
  }

  @Test
  void what_a_person_has_paused_stays_paused() {
    reports().run(context -> schedules().pause("spring/shop/nightly", "holidays"));

    reports().run(context -> assertThat(state("nightly")).isEqualTo(State.PAUSED));
  }

  @Test
  void a_changed_rule_is_stored() {
    reports().run(context -> {});
    reports()
        .withPropertyValues("cron=0 6 * * *")
        .run(context ->
            assertThat(schedules().get("spring/shop/nightly").nextFireTime())
                .isEqualTo("2030-01-01T05:00:00Z"));
  }

  @Test
  void a_rule_that_nodes_refuse_ends_the_start_and_names_the_method() {
    reports()
        .withPropertyValues("cron=0 25 * * *")
        .run(context -> {
          assertThat(context).hasFailed();
          FailureAnalysis analysis =
              new KairosFailureAnalyzer().analyze(requireNonNull(context.getStartupFailure()));
          assertThat(requireNonNull(analysis).getDescription())
              .contains("The schedule 'nightly' of the method nightly() of the bean 'reports'")
              .contains("25");
        });
  }

  @Test
  void without_a_node_the_application_starts() {
    Applications.alone()
        .withBean("reports", Reports.class, Reports::new)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void switched_off_nothing_is_stored() {
    reports()
        .withPropertyValues("kairos.schedules.enabled=false")
        .run(context -> assertThat(schedules().list(ScheduleQuery.all())).isEmpty());
  }

  private State state(String name) {
    return schedules().get("spring/shop/" + name).state();
  }
}
