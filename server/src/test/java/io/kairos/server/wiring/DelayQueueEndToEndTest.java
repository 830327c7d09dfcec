package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.header;
import static io.kairos.server.wiring.Application.keyed;
import static io.kairos.server.wiring.Application.message;
import static io.kairos.server.wiring.Application.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.FormatMethod;
import io.kairos.embedded.EmbeddedKafka;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One node with several routes, on real Postgres and Kafka, seen from an application. */
class DelayQueueEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String IN = RUN + ".in";
  private static final String OUT = RUN + ".out";
  private static final String DEAD = RUN + ".dead";
  private static final String OTHER_OUT = RUN + ".other-out";
  private static final String RESULTS = RUN + ".results";
  private static final String SECOND_IN = RUN + ".second-in";
  private static final String SECOND_OUT = RUN + ".second-out";
  private static final byte[] BINARY = {(byte) 0xc3, 0x28, 0, (byte) 0xff};
  private static final Duration LATE_BY_AT_MOST = Duration.ofMinutes(1);
  private static final Duration EARLY_BY_AT_MOST = Duration.ofMillis(60);

  @AutoClose
  private static final RunningNode node =
      Configured.started(
          "delay.routes.first.input=" + IN,
          "delay.routes.first.output=" + OUT,
          "delay.routes.first.dead-letter-topic=" + DEAD,
          "delay.routes.first.allowed-outputs=" + OTHER_OUT,
          "delay.routes.first.results-topic=" + RESULTS,
          "delay.routes.second.input=" + SECOND_IN,
          "delay.routes.second.output=" + SECOND_OUT,
          "delay.routes.second.dead-letter-topic=" + DEAD,
          "delay.routes.second.relay-id=true");

  @AutoClose
  private static final Application application =
      new Application(EmbeddedKafka.shared().bootstrapServers());

  /** Names and values of headers, from a text with blanks between them. */
  @FormatMethod
  private static String[] words(String pattern, Object... values) {
    return pattern.formatted(values).split(" ", -1);
  }

  /** Every way to say when. */
  private static String[] headersFor(String form, Instant due) {
    String id = "form-" + form.replace(' ', '-');
    return switch (form) {
      case "due at" -> new String[] {"kairos-id", id, "kairos-due-at", due.toString()};
      case "due at with offset" ->
          words("kairos-id %s kairos-due-at %s", id, due.atOffset(ZoneOffset.ofHours(5)));
      case "due at in millis" ->
          new String[] {"kairos-id", id, "kairos-due-at", Long.toString(due.toEpochMilli())};
      case "deadline without offset" ->
          words(
              "chronosMessageId %s chronosDeadline %s",
              id, LocalDateTime.ofInstant(due, ZoneOffset.UTC));
      case "delay" -> new String[] {"kairos-id", id, "kairos-delay", "PT1.2S"};
      case "delay in millis" -> new String[] {"chronosMessageId", id, "kairos-delay", "1200"};
      default -> throw new IllegalArgumentException(form);
    };
  }

  @Test // CH-4, CH-26, TW-9
  void ch07_ch09_a_message_arrives_once_on_time_and_byte_for_byte_whatever_form_says_when() {
    Instant due = Instant.now().plusMillis(1_200);
    List<String> forms =
        List.of(
            "due at",
            "due at with offset",
            "due at in millis",
            "deadline without offset",
            "delay",
            "delay in millis");
    for (String form : forms) {
      String[] headers = headersFor(form, due);
      ProducerRecord<byte[], byte[]> sent = new ProducerRecord<>(IN, keyOf(form), BINARY);
      sent.headers().add("a", new byte[] {(byte) 0xfe, 0});
      sent.headers().add(headers[0], headers[1].getBytes(UTF_8));
      sent.headers().add("b", null);
      sent.headers().add("a", new byte[0]);
      sent.headers().add(headers[2], headers[3].getBytes(UTF_8));
      sent.headers().add("a", "third".getBytes(UTF_8));
      application.sendSoon(sent);
    }

    List<ConsumerRecord<byte[], byte[]>> received =
        application.receive(OUT, forms.size(), message -> Arrays.equals(message.value(), BINARY));

    assertThat(received)
        .extracting(ConsumerRecord::key)
        .containsExactlyInAnyOrder(
            forms.stream().map(DelayQueueEndToEndTest::keyOf).toArray(byte[][]::new));
    assertThat(received)
        .allSatisfy(message -> {
          assertThat(message.headers().toArray())
              .extracting(Header::key)
              .containsExactly("a", "b", "a", "a");
          assertThat(message.headers().toArray())
              .extracting(Header::value)
              .containsExactly(
                  new byte[] {(byte) 0xfe, 0}, null, new byte[0], "third".getBytes(UTF_8));
          assertThat(Instant.ofEpochMilli(message.timestamp()))
              .isBetween(due.minus(EARLY_BY_AT_MOST), due.plus(LATE_BY_AT_MOST));
        });
  }

  private static byte[] keyOf(String form) {
    byte[] key = Arrays.copyOf(form.getBytes(UTF_8), form.length() + 2);
    key[form.length()] = (byte) 0xff;
    return key;
  }

  @Test
  void ch_b8_key_and_value_may_be_null() {
    application.send(
        message(SECOND_IN, null, null, "kairos-id", "tombstone", "kairos-delay", "300"));

    List<ConsumerRecord<byte[], byte[]>> received =
        application.receive(
            SECOND_OUT, 1, message -> "tombstone".equals(header(message, "kairos-id")));
    assertThat(received).hasSize(1);
    assertThat(received.getFirst().key()).isNull();
    assertThat(received.getFirst().value()).isNull();
  }

  @Test
  void ch16_ch23_a_message_that_is_late_already_goes_out_at_once() {
    application.send(
        message(IN, "late", "x", "kairos-id", "late", "kairos-due-at", "2001-01-01T00:00:00Z"));

    assertThat(application.receive(OUT, 1, keyed("late"))).hasSize(1);
  }

  @Test
  void the_id_comes_along_where_the_route_says_so() {
    application.send(message(IN, "no-id", "x", "kairos-id", "a", "kairos-delay", "100"));
    application.send(message(SECOND_IN, "id", "x", "kairos-id", "a", "kairos-delay", "100"));

    assertThat(application.receive(OUT, 1, keyed("no-id")))
        .singleElement()
        .satisfies(message -> assertThat(message.headers().toArray()).isEmpty());
    assertThat(application.receive(SECOND_OUT, 1, keyed("id")))
        .singleElement()
        .satisfies(message -> assertThat(header(message, "kairos-id")).isEqualTo("a"));
  }

  @Test
  void ch12_ch13_a_second_message_with_the_id_of_a_pending_one_is_ignored() {
    // Long enough for it to be stored before it is due, also on a machine that stands still.
    application.send(message(IN, "twice", "first", "kairos-id", "twice", "kairos-delay", "8000"));
    application.send(message(IN, "twice", "second", "kairos-id", "twice", "kairos-delay", "100"));

    assertThat(application.receive(OUT, 1, keyed("twice")))
        .extracting(Application::value)
        .containsExactly("first");

    application.send(message(IN, "twice", "third", "kairos-id", "twice", "kairos-delay", "100"));
    assertThat(application.receive(OUT, 2, keyed("twice")))
        .extracting(Application::value)
        .containsExactly("first", "third");
  }

  @Test
  void the_same_id_on_two_routes_is_two_messages() {
    application.send(message(IN, "both", "1", "kairos-id", "both", "kairos-delay", "400"));
    application.send(message(SECOND_IN, "both", "2", "kairos-id", "both", "kairos-delay", "400"));

    assertThat(application.receive(OUT, 1, keyed("both"))).hasSize(1);
    assertThat(application.receive(SECOND_OUT, 1, keyed("both"))).hasSize(1);
  }

  @Test
  void a_message_may_name_another_output_that_is_allowed() {
    application.send(
        message(
            IN,
            "elsewhere",
            "x",
            words("kairos-id e kairos-delay 200 kairos-output-topic %s", OTHER_OUT)));

    assertThat(application.receive(OTHER_OUT, 1, keyed("elsewhere"))).hasSize(1);
    assertThat(application.receive(OUT, 0, keyed("elsewhere"))).isEmpty();
  }

  @Test // PD-L6
  void ch08_what_cannot_be_handled_is_parked_with_its_reason_and_the_rest_goes_on() {
    Map<String, List<String>> poison = new LinkedHashMap<>();
    poison.put("missing-id", List.of("kairos-delay", "100"));
    poison.put("malformed-id", List.of("kairos-id", "", "kairos-delay", "100"));
    poison.put("missing-due-time", List.of("kairos-id", "x"));
    poison.put("malformed-due-time", List.of("kairos-id", "x", "kairos-due-at", "tomorrow"));
    poison.put(
        "contradictory-headers",
        List.of("kairos-id", "x", "chronosMessageId", "y", "kairos-delay", "100"));
    poison.put(
        "unknown-header", List.of("kairos-id", "x", "kairos-delay", "100", "kairos-dealy", "1"));
    poison.put(
        "malformed-control",
        List.of("kairos-id", "x", "kairos-delay", "100", "kairos-control", "stop"));
    poison.put(
        "output-not-allowed",
        List.of("kairos-id", "x", "kairos-delay", "100", "kairos-output-topic", "secret"));

    poison.forEach((reason, headers) -> {
      application.sendSoon(
          message(IN, "poison", "untouched " + reason, headers.toArray(String[]::new)));
      application.sendSoon(
          message(IN, "after-poison", reason, "kairos-id", reason, "kairos-delay", "100"));
    });

    List<ConsumerRecord<byte[], byte[]>> letters =
        application.receive(DEAD, poison.size(), keyed("poison"));
    assertThat(letters)
        .extracting(letter -> String.valueOf(header(letter, "kairos-reason")))
        .containsExactlyInAnyOrderElementsOf(poison.keySet());
    assertThat(letters)
        .allSatisfy(letter -> {
          assertThat(value(letter)).isEqualTo("untouched " + header(letter, "kairos-reason"));
          assertThat(header(letter, "kairos-reason-detail")).isNotBlank();
          assertThat(header(letter, "kairos-source-topic")).isEqualTo(IN);
          assertThat(header(letter, "kairos-source-partition")).isNotBlank();
          assertThat(header(letter, "kairos-source-offset")).isNotBlank();
        });
    assertThat(application.receive(OUT, poison.size(), keyed("after-poison")))
        .extracting(Application::value)
        .containsExactlyInAnyOrderElementsOf(poison.keySet());
    assertThat(node.metrics())
        .contains("kairos_delay_dead_letters_total{reason=\"missing-id\",route=\"first\"} 1.0");
  }

  @Test
  void a_record_larger_than_the_bound_is_parked() {
    ProducerRecord<byte[], byte[]> large =
        new ProducerRecord<>(IN, "large".getBytes(UTF_8), new byte[1_000_001]);
    large.headers().add("kairos-id", "large".getBytes(UTF_8));
    large.headers().add("kairos-delay", "100".getBytes(UTF_8));

    application.send(large);

    assertThat(application.receive(DEAD, 1, keyed("large")))
        .singleElement()
        .satisfies(letter -> assertThat(header(letter, "kairos-reason")).isEqualTo("too-large"));
  }

  @Test
  void a_record_with_more_headers_than_the_bound_is_parked_without_them() {
    ProducerRecord<byte[], byte[]> many =
        message(IN, "headed", "x", "kairos-id", "headed", "kairos-delay", "100");
    for (int i = 0; i < 1_000; i++) {
      many.headers().add("", null);
    }

    application.send(many);

    assertThat(application.receive(DEAD, 1, keyed("headed")))
        .singleElement()
        .satisfies(letter -> {
          assertThat(header(letter, "kairos-reason")).isEqualTo("too-large");
          assertThat(header(letter, "kairos-reason-detail"))
              .isEqualTo("the record has 1002 headers, allowed are 1000");
          assertThat(header(letter, "kairos-id")).isEqualTo("headed");
          assertThat(header(letter, "kairos-value-sha256"))
              .isEqualTo("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");
          assertThat(letter.headers()).hasSizeLessThan(20);
          assertThat(letter.value()).isNull();
        });
  }

  @Test // CH-L3
  void a_cancelled_message_does_not_come_and_the_outcome_is_told() {
    application.send(message(IN, "cancel", "x", "kairos-id", "cancel", "kairos-delay", "8000"));
    application.send(
        message(IN, "cancel", null, "kairos-id", "cancel", "kairos-control", "cancel"));
    application.send(
        message(IN, "cancel", null, "kairos-id", "cancel", "kairos-control", "cancel"));

    assertThat(outcomes("cancel", 2)).containsExactly("applied", "unknown-id");
    application.send(message(IN, "cancel", "y", "kairos-id", "later", "kairos-delay", "8500"));
    assertThat(application.receive(OUT, 1, keyed("cancel")))
        .extracting(Application::value)
        .containsExactly("y");
  }

  @Test // TW-13, TW-16, CH-L3
  void a_rescheduled_message_comes_at_its_new_time() {
    Instant due = Instant.now().plusMillis(1_000);
    application.send(
        message(IN, "move", "x", "kairos-id", "move", "kairos-due-at", "9999-12-31T23:59:59Z"));
    application.send(
        message(
            IN,
            "move",
            null,
            words("kairos-id move kairos-control reschedule kairos-due-at %s", due)));

    ConsumerRecord<byte[], byte[]> moved = application.receive(OUT, 1, keyed("move")).getFirst();
    assertThat(Instant.ofEpochMilli(moved.timestamp()))
        .isBetween(due.minus(EARLY_BY_AT_MOST), due.plus(LATE_BY_AT_MOST));
    assertThat(outcomes("move", 1)).containsExactly("applied");
  }

  private static List<String> outcomes(String key, int count) {
    return application.receive(RESULTS, count, keyed(key)).stream()
        .map(result -> String.valueOf(header(result, "kairos-outcome")))
        .toList();
  }

  @Test
  void ch02_a_thousand_messages_come_once_each() {
    String id = "many-" + UUID.randomUUID() + "-";
    for (int i = 0; i < 1_000; i++) {
      application.sendSoon(
          message(SECOND_IN, id + i, "x", words("kairos-id %s kairos-delay %d", id + i, 100 + i)));
    }

    List<ConsumerRecord<byte[], byte[]>> received =
        application.receive(
            SECOND_OUT,
            1_000,
            message -> String.valueOf(header(message, "kairos-id")).startsWith(id));

    Map<String, Long> times =
        received.stream()
            .collect(
                Collectors.groupingBy(
                    message -> String.valueOf(header(message, "kairos-id")),
                    Collectors.counting()));
    assertThat(times).hasSize(1_000);
    assertThat(Set.copyOf(times.values())).containsExactly(1L);
  }
}
