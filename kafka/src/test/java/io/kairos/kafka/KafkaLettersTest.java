package io.kairos.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.engine.delay.letter.LetterRecord;
import io.kairos.engine.delay.letter.LetterTopics.Page;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.letter.LettersRefused.Kind;
import io.kairos.engine.delay.letter.RecordPlace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** Records that are read from the end of a topic, and one that is published, at a real broker. */
class KafkaLettersTest {
  private static final int MIB = 1 << 20;

  private final KafkaFixture broker = KafkaFixture.shared();
  private final KafkaConfig config =
      KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "letters");
  private final KafkaLetters letters = new KafkaLetters(config, System::nanoTime);

  private void produce(String topic, int partition, long millis, String value) {
    broker.produce(topic, partition, millis, null, value.getBytes(UTF_8), List.of());
  }

  /** Sends all before it waits for any. */
  private void fill(String topic, int records, int bytes) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      sent.add(broker.producer.send(new ProducerRecord<>(topic, 0, null, new byte[bytes])));
    }
    sent.forEach(KafkaFixture::done);
  }

  private static List<String> values(Page page) {
    return page.records().stream()
        .map(letter -> new String(requireNonNull(letter.value()), UTF_8))
        .toList();
  }

  private Page latest(String topic, Map<Integer, Long> before, int most) {
    return letters.latest(topic, before, 100, most, _ -> true);
  }

  /** All pages, one after the other. */
  private List<String> all(String topic, int most) {
    List<String> all = new ArrayList<>();
    Page page = latest(topic, Map.of(), most);
    all.addAll(values(page));
    while (!page.next().isEmpty()) {
      page = latest(topic, page.next(), most);
      all.addAll(values(page));
    }
    return all;
  }

  @Test
  void the_latest_of_all_partitions_come_first_page_by_page() {
    String topic = broker.newTopic(3);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      produce(topic, i % 7 == 0 ? 2 : 0, 1_000 + i, "v" + i);
      expected.add("v" + i);
    }
    Collections.reverse(expected);

    assertThat(values(latest(topic, Map.of(), 3))).containsExactly("v119", "v118", "v117");
    assertThat(all(topic, 7)).isEqualTo(expected);
    assertThat(all(topic, 200)).isEqualTo(expected);
  }

  @Test
  void an_empty_topic_has_none_and_what_comes_later_is_of_no_earlier_page() {
    String topic = broker.newTopic(2);
    assertThat(latest(topic, Map.of(), 10)).isEqualTo(new Page(List.of(), Map.of()));
    produce(topic, 0, 1, "first");
    produce(topic, 0, 2, "second");

    Page page = latest(topic, Map.of(), 1);
    produce(topic, 0, 3, "third");
    produce(topic, 1, 4, "elsewhere");

    assertThat(values(page)).containsExactly("second");
    assertThat(values(latest(topic, page.next(), 10))).containsExactly("first");
  }

  @Test
  void only_wanted_ones_count_and_each_record_is_asked_for_once() {
    String topic = broker.newTopic(1);
    for (int i = 0; i < 100; i++) {
      produce(topic, 0, i, "v" + i);
    }
    List<Long> asked = new ArrayList<>();

    Page page =
        letters.latest(
            topic,
            Map.of(),
            100,
            2,
            letter -> {
              asked.add(letter.place().offset());
              return letter.place().offset() % 40 == 0;
            });

    assertThat(values(page)).containsExactly("v80", "v40");
    assertThat(asked).hasSize(60).doesNotHaveDuplicates();
    assertThat(values(latest(topic, page.next(), 1))).containsExactly("v39");
  }

  @Test
  void one_call_reads_a_bounded_number_of_records() {
    String topic = broker.newTopic(1);
    fill(topic, LetterReading.MOST_RECORDS + 200, 1);
    List<Long> asked = new ArrayList<>();

    Page page =
        letters.latest(
            topic,
            Map.of(),
            1,
            1,
            letter -> {
              asked.add(letter.place().offset());
              return false;
            });

    assertThat(asked.size()).isBetween(1, LetterReading.MOST_RECORDS + 32);
    assertThat(page.next()).containsEntry(0, asked.getLast());
  }

  @Test
  void of_large_records_the_first_piece_is_bounded_in_bytes() {
    String topic = broker.newTopic(1);
    fill(topic, 33, 900_000);
    try (KafkaConsumer<FirstBytes.Part, FirstBytes.Part> consumer =
        new KafkaConsumer<>(
            ClientSettings.letterConsumer(config, "bounded"),
            new FirstBytes(0),
            new FirstBytes(0))) {
      Page page =
          new LetterReading(consumer, topic, System::nanoTime).latest(Map.of(), 1, _ -> true);

      assertThat(page.records())
          .singleElement()
          .extracting(one -> one.place().offset())
          .isEqualTo(32L);
      double read =
          consumer.metrics().values().stream()
              .filter(metric -> metric.metricName().name().equals("bytes-consumed-total"))
              .mapToDouble(metric -> (double) metric.metricValue())
              .max()
              .orElseThrow();
      assertThat(read).isLessThan(4 * LetterReading.PIECE_BYTES);
    }
  }

  @Test
  void lists_do_not_keep_people_from_publishing() throws Exception {
    String topic = broker.newTopic(1);
    produce(topic, 0, 1, "one");
    CountDownLatch listing = new CountDownLatch(2);
    CountDownLatch published = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Page>> lists = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        lists.add(
            threads.submit(() ->
                letters.latest(
                    topic,
                    Map.of(),
                    1,
                    1,
                    _ -> {
                      listing.countDown();
                      return await(published);
                    })));
      }
      await(listing);
      LettersRefused third =
          catchThrowableOfType(LettersRefused.class, () -> latest(topic, Map.of(), 1));
      try {
        assertThat(letters.at(topic, new RecordPlace(0, 0))).isPresent();
        assertThat(letters.publish(topic, null, null, List.of()).offset()).isEqualTo(1);
      } finally {
        published.countDown();
      }

      assertThat(third.kind()).isEqualTo(Kind.BUSY);
      for (Future<Page> list : lists) {
        assertThat(values(list.get())).containsExactly("o");
      }
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void what_retention_or_a_transaction_has_taken_away_is_passed_over() {
    String topic = broker.newTopic(1);
    for (int i = 0; i < 10; i++) {
      produce(topic, 0, i, "v" + i);
    }
    broker.deleteBefore(topic, 0, 8);
    broker.produceAborted(topic, 0, "aborted".getBytes(UTF_8));

    assertThat(all(topic, 50)).containsExactly("v9", "v8");
    assertThat(all(topic, 1)).containsExactly("v9", "v8");
    assertThat(letters.at(topic, new RecordPlace(0, 3))).isEmpty();
    assertThat(letters.at(topic, new RecordPlace(0, 10))).isEmpty();
    assertThat(letters.at(topic, new RecordPlace(0, 99))).isEmpty();
    assertThat(letters.at(topic, new RecordPlace(5, 0))).isEmpty();
  }

  @Test
  void large_records_are_kept_in_part_in_a_list_and_whole_alone() {
    String topic = broker.newTopic(1, Map.of("max.message.bytes", Integer.toString(9 * MIB)));
    byte[] large = new byte[900_000];
    large[0] = 7;
    String name = "<img onerror>\0\u202e".repeat(30);
    List<MessageHeader> headers = new ArrayList<>();
    for (int i = 0; i < LetterReading.MOST_HEADERS + 5; i++) {
      headers.add(new MessageHeader(name, i % 2 == 0 ? null : new byte[30]));
    }
    headers.add(new MessageHeader("long", new byte[2_000]));
    long offset = broker.produce(topic, 0, 5, new byte[1_500], large, headers);

    LetterRecord part = latest(topic, Map.of(), 5).records().getFirst();
    LetterRecord whole = letters.at(topic, new RecordPlace(0, offset)).orElseThrow();

    assertThat(part.key()).hasSize(1_024);
    assertThat(part.value()).hasSize(100).startsWith(7);
    assertThat(part.valueBytes()).isEqualTo(large.length);
    assertThat(part.isCut()).isTrue();
    assertThat(part.headers()).hasSizeBetween(40, LetterReading.MOST_HEADERS);
    assertThat(MessageHeader.bytes(part.headers()))
        .isLessThanOrEqualTo(LetterReading.MOST_HEADER_BYTES);
    assertThat(part.headers().getFirst().name()).hasSize(256);
    assertThat(part.headers().getLast().value()).hasSize(1_024);
    assertThat(whole.key()).hasSize(1_500);
    assertThat(whole.value()).isEqualTo(large);
    assertThat(whole.isCut()).isFalse();
    assertThat(whole.headers()).isEqualTo(headers);
  }

  @Test
  void null_is_no_value_and_an_empty_one_is_empty() {
    String topic = broker.newTopic(1);
    broker.produce(topic, 0, 1, null, null, List.of());
    broker.produce(topic, 0, 2, new byte[0], new byte[0], List.of());

    List<LetterRecord> read = latest(topic, Map.of(), 5).records();

    assertThat(read).extracting(LetterRecord::valueBytes).containsExactly(0L, -1L);
    assertThat(read.get(0).key()).isEmpty();
    assertThat(read.get(1).key()).isNull();
    assertThat(read.get(1).value()).isNull();
  }

  @Test
  void a_record_is_published_byte_for_byte_and_its_place_is_told() {
    String topic = broker.newTopic(2);
    List<MessageHeader> headers =
        List.of(
            new MessageHeader("a", new byte[] {0, -1}),
            new MessageHeader("b", null),
            new MessageHeader("a", new byte[0]));

    RecordPlace place = letters.publish(topic, "key".getBytes(UTF_8), new byte[] {0}, headers);

    InputRecord written = broker.records(topic, place.partition()).get((int) place.offset());
    assertThat(place.partition()).isEqualTo(KafkaPublisher.partitionOf("key".getBytes(UTF_8), 2));
    assertThat(written.value()).containsExactly(0);
    assertThat(written.headers()).isEqualTo(headers);
    assertThat(letters.publish(topic, null, null, List.of())).isNotNull();
  }

  @Test
  void a_topic_that_is_not_there_is_named_and_not_made() {
    String topic = KafkaFixture.freshName();

    for (Runnable call :
        List.<Runnable>of(
            () -> latest(topic, Map.of(), 1),
            () -> letters.at(topic, new RecordPlace(0, 0)),
            () -> letters.publish(topic, null, null, List.of()))) {
      LettersRefused refused = catchThrowableOfType(LettersRefused.class, call::run);
      assertThat(refused.kind()).isEqualTo(Kind.NOT_ALLOWED);
      assertThat(refused).hasMessageContaining(topic);
    }
    assertThat(broker.partitions(topic)).isZero();
  }

  @Test
  void a_record_that_the_topic_does_not_take_is_refused() {
    String topic = broker.newTopic(1, Map.of("max.message.bytes", "1000"));

    LettersRefused refused =
        catchThrowableOfType(
            LettersRefused.class, () -> letters.publish(topic, null, new byte[5_000], List.of()));

    assertThat(refused.kind()).isEqualTo(Kind.NOT_ALLOWED);
    assertThat(refused).hasMessageContaining("RecordTooLarge");
  }

  @Test
  void a_broker_that_is_away_is_told_so() {
    KafkaLetters away =
        new KafkaLetters(KafkaConfig.at("127.0.0.1:1", "letters"), System::nanoTime);

    LettersRefused refused =
        catchThrowableOfType(
            LettersRefused.class, () -> away.latest("dead", Map.of(), 0, 1, _ -> true));

    assertThat(refused.kind()).isEqualTo(Kind.AWAY);
  }
}
