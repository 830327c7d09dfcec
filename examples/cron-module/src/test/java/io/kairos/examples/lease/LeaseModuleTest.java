package io.kairos.examples.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.pool.PushRequest;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaseModuleTest {
  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

  private final CronModule module = new LeaseModule();
  private final ReservedPages pages = new ReservedPages(1 << 20);
  private final ModuleState state = new ModuleState("leases", pages);
  private final List<String> tasks = new ArrayList<>();
  private long sequence;

  private String ask(Instant now, String request) {
    var ask = new CronModule.Request(++sequence, new AgreedTime.At(now), request.getBytes(UTF_8));
    return new String(module.execute(ask, state), UTF_8);
  }

  private void fire(AgreedTime now, String handler) {
    Tick tick = new Tick(new ComponentId(1), ++sequence, now);
    module.run(
        new CronModule.Fire(tick, now, 0, handler.getBytes(UTF_8)),
        state,
        new ModuleEffects() {
          @Override
          public void enqueueTask(String to, byte[] payload, String key) {
            tasks.add(to + ": " + new String(payload, UTF_8));
          }

          @Override
          public void postMessage(String topic, byte[] key, byte[] value, Duration delay) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void push(String url, String contentType, byte[] body) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void pushToPool(String pool, PushRequest request, String key) {
            throw new UnsupportedOperationException();
          }
        });
  }

  private void fire(Instant now, String handler) {
    fire(new AgreedTime.At(now), handler);
  }

  @Test
  void a_lease_is_its_holders_until_it_lapses() {
    assertThat(ask(NOON, "show printer")).isEqualTo("free");
    assertThat(ask(NOON, "take printer ada 30"))
        .isEqualTo("held by ada until 2026-05-01T12:00:30Z fence 2")
        .isEqualTo(ask(NOON.plusSeconds(29), "take printer bob 30"))
        .isEqualTo(ask(NOON.plusSeconds(29), "free printer bob"))
        .isEqualTo(ask(NOON.plusSeconds(29), "show printer"));
    assertThat(ask(NOON.plusSeconds(30), "show printer")).isEqualTo("free");
    assertThat(ask(NOON.plusSeconds(30), "take printer bob 30"))
        .isEqualTo("held by bob until 2026-05-01T12:01:00Z fence 7");
  }

  @Test
  void a_holder_makes_a_lease_longer_and_keeps_its_fence() {
    ask(NOON, "take printer ada 30");

    assertThat(ask(NOON.plusSeconds(20), "take printer ada 30"))
        .isEqualTo("held by ada until 2026-05-01T12:00:50Z fence 1");
  }

  @Test
  void a_holder_gives_a_lease_back() {
    ask(NOON, "take printer ada 30");

    assertThat(ask(NOON, "free printer ada")).isEqualTo("free");
    assertThat(ask(NOON, "take printer bob 30")).startsWith("held by bob");
  }

  @Test
  void what_is_no_request_is_refused() {
    for (String request :
        List.of(
            "", "take", "take printer ada", "take printer ada 0", "show two words", "TAKE a b 1")) {
      assertThat(ask(NOON, request)).as(request).isEqualTo("refused");
    }
    var before = new CronModule.Request(1, AgreedTime.OFF, "show printer".getBytes(UTF_8));
    assertThat(module.execute(before, state))
        .as("without time")
        .isEqualTo("refused".getBytes(UTF_8));
  }

  @Test
  void leases_that_have_lapsed_are_removed_and_named_in_a_task() {
    ask(NOON, "take printer ada 30");
    ask(NOON, "take scanner ada 60");
    ask(NOON, "take plotter bob 10");

    fire(NOON.plusSeconds(9), "lapsed");
    fire(AgreedTime.OFF, "lapsed");
    assertThat(tasks).isEmpty();

    fire(NOON.plusSeconds(30), "lapsed");
    assertThat(tasks).containsExactly("lapsed: printer\nplotter");

    fire(NOON.plusSeconds(60), "");
    assertThat(tasks).hasSize(1);
    assertThat(pages.count()).isZero();
  }

  @Test
  void twenty_at_a_time_are_named() {
    for (int i = 0; i < 25; i++) {
      ask(NOON, "take machine-" + i + " ada 1");
    }

    fire(NOON.plusSeconds(1), "lapsed");
    fire(NOON.plusSeconds(2), "lapsed");
    fire(NOON.plusSeconds(3), "lapsed");

    assertThat(tasks).extracting(task -> task.lines().count()).containsExactly(20L, 5L);
    assertThat(pages.count()).isZero();
  }

  @Test
  void a_page_without_room_refuses_by_throwing() {
    // The hash of both is the same, and so is that of all names made of them.
    List<String> names =
        IntStream.range(64, 128)
            .mapToObj(i -> Integer.toBinaryString(i).replace("0", "ak").replace("1", "c-"))
            .toList();

    assertThatThrownBy(
            () -> names.forEach(name -> ask(NOON, "take " + name + " " + "h".repeat(64) + " 1")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(pages.count()).isEqualTo(1);
  }

  @Test
  void it_is_found_by_the_service_loader() {
    assertThat(ServiceLoader.load(CronModule.class))
        .anyMatch(found -> found instanceof LeaseModule);
  }
}
