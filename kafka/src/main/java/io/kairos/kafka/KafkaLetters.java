package io.kairos.kafka;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.engine.delay.letter.LetterRecord;
import io.kairos.engine.delay.letter.LetterTopics;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.letter.LettersRefused.Kind;
import io.kairos.engine.delay.letter.RecordPlace;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link LetterTopics} by clients that live as long as one call, of which {@value #MOST_AT_ONCE}
 * run at a time that list, and as many that read one record or publish one, however many lists are
 * asked for. So nothing of them takes memory or sends requests while nobody looks.
 */
public final class KafkaLetters implements LetterTopics {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaLetters.class);

  /** A look may take seconds, on the threads of calls that ask the store. */
  private static final int MOST_AT_ONCE = 2;

  /** A larger record is not published again: key and value, each. */
  private static final int LARGEST = 16 << 20;

  private static final long ANSWERED_AFTER_SECONDS = 5;

  private final KafkaConfig config;
  private final MonotonicClock clock;
  private final Semaphore lists = new Semaphore(MOST_AT_ONCE);
  private final Semaphore single = new Semaphore(MOST_AT_ONCE);
  private final AtomicLong clients = new AtomicLong();

  public KafkaLetters(KafkaConfig config, MonotonicClock clock) {
    this.config = config;
    this.clock = clock;
  }

  @Override
  public Page latest(
      String topic,
      Map<Integer, Long> before,
      int valueBytes,
      int most,
      Predicate<LetterRecord> wanted) {
    return inRoom(
        lists,
        "listed",
        () ->
            reading(
                topic,
                LetterReading.LONGEST_KEPT,
                valueBytes,
                reading -> reading.latest(before, most, wanted)));
  }

  @Override
  public Optional<LetterRecord> at(String topic, RecordPlace place) {
    Optional<LetterRecord> found =
        alone(() -> reading(topic, LARGEST, LARGEST, reading -> reading.at(place)));
    found
        .filter(letter -> letter.isCut() || letter.valueBytes() > LARGEST)
        .ifPresent(_ -> {
          throw new LettersRefused(
              Kind.NOT_ALLOWED,
              "offset: the record has a key or a value of more than %d bytes".formatted(LARGEST));
        });
    return found;
  }

  private <A> A alone(Supplier<A> call) {
    return inRoom(single, "published again", call);
  }

  private static <A> A inRoom(Semaphore room, String done, Supplier<A> call) {
    if (!room.tryAcquire()) {
      throw new LettersRefused(
          Kind.BUSY, "dead letters are %s by %d calls at a time".formatted(done, MOST_AT_ONCE));
    }
    try {
      return call.get();
    } catch (AuthorizationException e) {
      throw new LettersRefused(
          Kind.NOT_ALLOWED, "the broker does not allow it: " + SendFailures.say(e), e);
    } catch (InvalidTopicException e) {
      throw new LettersRefused(Kind.NOT_ALLOWED, SendFailures.say(e), e);
    } catch (InterruptException e) {
      throw new LettersRefused(Kind.AWAY, "the call was interrupted", e);
    } catch (KafkaException e) {
      throw new LettersRefused(Kind.AWAY, "the broker does not answer: " + SendFailures.say(e), e);
    } finally {
      room.release();
    }
  }

  private <A> A reading(
      String topic, int keyBytes, int valueBytes, Function<LetterReading, A> look) {
    KafkaConsumer<FirstBytes.Part, FirstBytes.Part> consumer =
        new KafkaConsumer<>(
            ClientSettings.letterConsumer(config, clientId()),
            new FirstBytes(keyBytes),
            new FirstBytes(valueBytes));
    try {
      return look.apply(new LetterReading(consumer, topic, clock));
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private String clientId() {
    return config.clientId() + "-letters-" + clients.incrementAndGet();
  }

  @Override
  public RecordPlace publish(
      String topic, byte @Nullable [] key, byte @Nullable [] value, List<MessageHeader> headers) {
    return alone(() -> {
      // Before a producer asks for it, which may make the broker create the topic.
      reading(
          topic,
          0,
          0,
          reading -> {
            reading.requireTopic();
            return topic;
          });
      KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(
              ClientSettings.letterProducer(config, clientId()),
              new ByteArraySerializer(),
              new ByteArraySerializer());
      try {
        return send(
            producer,
            new ProducerRecord<>(
                topic, null, key, value, KafkaHeaders.write(HeaderCodec.encode(headers))));
      } finally {
        close(producer);
      }
    });
  }

  /** A failure to close must not hide whether the record was written. */
  private static void close(KafkaProducer<byte[], byte[]> producer) {
    try {
      producer.close(Duration.ZERO);
    } catch (KafkaException e) {
      LOG.debug("a producer of dead letters was not closed", e);
    }
  }

  private RecordPlace send(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    try {
      RecordMetadata written =
          producer
              .send(record)
              .get(
                  config.output().publishTimeout().toSeconds() + ANSWERED_AFTER_SECONDS,
                  TimeUnit.SECONDS);
      return new RecordPlace(written.partition(), written.offset());
    } catch (ExecutionException e) {
      throw refused(e.getCause() instanceof Exception why ? why : e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw inDoubt(e);
    } catch (TimeoutException e) {
      throw inDoubt(e);
    }
  }

  private static LettersRefused refused(Exception why) {
    boolean isForGood =
        SendFailures.resultOf(why) instanceof SendResult.Refused
            || why instanceof AuthorizationException;
    return isForGood
        ? new LettersRefused(
            Kind.NOT_ALLOWED, "the broker does not take the record: " + SendFailures.say(why), why)
        : inDoubt(why);
  }

  private static LettersRefused inDoubt(Exception why) {
    return new LettersRefused(
        Kind.IN_DOUBT,
        "the broker has not acknowledged the record, which may have been written: "
            + SendFailures.say(why),
        why);
  }
}
