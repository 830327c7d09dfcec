package io.kairos.engine.cron.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.domain.task.queue.PoolName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryDefinitionTest {
  private static final ComponentId OURS = new ComponentId(7);
  private static final byte[] NOTHING = {};
  private static final EntryWork WORK = new EntryWork.Run("m", NOTHING);

  private static Arguments refused(Callable<?> made, String because) {
    return Arguments.of(made, because);
  }

  private static EntryDefinition entry(int position, String title, EntryTiming when) {
    return new EntryDefinition(OURS, position, title, when, WORK);
  }

  private static EntryWork pushToPool(List<MessageHeader> headers, String key) {
    return new EntryWork.PushToPool(
        new PoolName("billing"), new PushRequest("POST", "/", headers, NOTHING), key);
  }

  private static List<MessageHeader> headers(String name, int count) {
    return Collections.nCopies(count, new MessageHeader(name, NOTHING));
  }

  static Stream<Arguments> refused() {
    EntryTiming always = new EntryTiming.EveryTick();
    Duration minute = Duration.ofMinutes(1);
    return Stream.of(
        refused(() -> entry(-1, "", always), "positions"),
        refused(() -> entry(100_000, "", always), "positions"),
        refused(() -> entry(0, "a".repeat(121), always), "title"),
        refused(() -> entry(0, "a\nb", always), "control"),
        refused(() -> entry(0, "\ud800", always), "title"),
        refused(() -> new EntryTiming.EverySequences(0), "sequences"),
        refused(() -> new EntryTiming.EverySequences(1_000_000_000_001L), "sequences"),
        refused(() -> new EntryTiming.Every(Duration.ZERO), "period"),
        refused(() -> new EntryTiming.Every(Duration.ofNanos(1)), "period"),
        refused(() -> new EntryTiming.Every(Duration.ofDays(3_651)), "period"),
        refused(() -> new EntryTiming.FixedRate(Duration.ZERO, Instant.EPOCH), "period"),
        refused(
            () -> new EntryTiming.FixedRate(minute, Instant.ofEpochSecond(0, 1)), "milliseconds"),
        refused(() -> new EntryTiming.FixedRate(minute, Instant.MAX), "years"),
        refused(() -> new EntryTiming.Cron("* * * *\u00a0*"), "ASCII"),
        refused(() -> new EntryTiming.Cron("*".repeat(201)), "200"),
        refused(() -> entry(0, "", new EntryTiming.Cron("61 * * * *")), "minute"),
        refused(() -> entry(0, "", new EntryTiming.Cron("0 0 30 2 *")), "February"),
        refused(() -> new EntryWork.EnqueueTask("", NOTHING, ""), "handler"),
        refused(
            () -> new EntryWork.EnqueueTask("pool:p", NOTHING, ""), "must not begin with pool:"),
        refused(() -> new EntryWork.EnqueueTask("h", NOTHING, "\n"), "key"),
        refused(() -> new EntryWork.PostMessage("a b", NOTHING, NOTHING, minute), "topic"),
        refused(
            () -> new EntryWork.PostMessage("a", NOTHING, NOTHING, minute.minusMillis(1)),
            "one minute"),
        refused(
            () -> new EntryWork.PostMessage("a", NOTHING, NOTHING, Duration.ofDays(3_651)),
            "period"),
        refused(() -> new EntryWork.Push("https://example.org", "", NOTHING), "content type"),
        refused(() -> new EntryWork.Push("https://example.org", "a\r\nb", NOTHING), "content type"),
        refused(() -> pushToPool(List.of(), "\n"), "key"),
        refused(() -> pushToPool(headers("Idempotency-Key", 1), ""), "not idempotency-key"),
        refused(() -> pushToPool(headers("x", 50), ""), "fewer than 50 headers"),
        refused(() -> new EntryWork.Prune(Duration.ZERO), "period"),
        refused(() -> new EntryWork.Run("Module", NOTHING), "module"),
        refused(() -> new EntryTiming.ByModule("Module", NOTHING), "module"),
        refused(() -> new BookCommand.ToModule("", NOTHING), "module"),
        refused(() -> new TableSettings(OURS, Duration.ofMillis(-1)), "ticks"),
        refused(() -> new TableSettings(OURS, Duration.ofNanos(1)), "ticks"),
        refused(() -> new TableSettings(OURS, Duration.ofHours(25)), "ticks"),
        refused(
            () -> new EffectBody(new EntryWork.EnqueueTask("h", NOTHING, ""), Instant.MIN),
            "years"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void what_is_out_of_range_is_refused_by_name(Callable<?> made, String because) {
    assertThatThrownBy(made::call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(because);
  }

  @Test
  void a_cron_expression_is_refused_with_its_place() {
    assertThatThrownBy(() -> entry(0, "", new EntryTiming.Cron("0 25 * * *")))
        .isInstanceOfSatisfying(
            RefusedExpressionException.class, e -> assertThat(e.offset()).isEqualTo(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.org",
        "https://example.org/",
        "https://10.0.0.1:8080/a/b?c=d&e=%20",
        "http://[::1]/x"
      })
  void a_url_is_taken(String url) {
    assertThat(new EntryWork.Push(url, "text/plain; charset=utf-8", NOTHING).url()).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "://",
        "example.org",
        "ftp://example.org",
        "http://",
        "http:///a",
        "http://user@example.org/",
        "http://example.org:0/",
        "http://example.org/ a",
        "http://example.org/#a",
        "http://example.org/../a",
        "http://example.org?a=b",
        "http://example.org/%0a",
        "http://1.2.3/",
        "http://exämple.org/"
      })
  void a_url_is_refused(String url) {
    assertThatThrownBy(() -> new EntryWork.Push(url, "text/plain", NOTHING))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void an_effect_is_due_at_its_fire_time_and_a_message_later() {
    Instant fire = Instant.ofEpochMilli(5_000);

    assertThat(new EffectBody(new EntryWork.EnqueueTask("h", NOTHING, ""), fire).dueAt())
        .isEqualTo(fire);
    assertThat(
            new EffectBody(
                    new EntryWork.PostMessage("t", NOTHING, NOTHING, Duration.ofMinutes(1)), fire)
                .dueAt())
        .isEqualTo(Instant.ofEpochMilli(65_000));
  }
}
