package io.kairos.server.wiring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.kafka.KafkaPublisher;
import io.kairos.kafka.TopicsUnusable;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes to a broker that may be away when the node starts. There is no producer before the
 * topics have been checked: one that asks for a topic can make the broker create it, with other
 * settings. Until then the delay queue sees outputs of unknown partitions, as in any outage.
 */
final class AwaitedPublisher implements Publisher, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AwaitedPublisher.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final Duration NEVER_AGAIN = Duration.ofDays(365);
  private static final String AWAY = "the Kafka broker does not answer";

  private final TopicsCheck topics;
  private final Supplier<KafkaPublisher> maker;
  private volatile @Nullable KafkaPublisher publisher;
  private volatile String obstacle = AWAY;

  /** The last reason that was logged. Touched by the step alone. */
  private String said = AWAY;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param maker makes the publisher, which needs no broker, but one that had an address
   */
  AwaitedPublisher(NodeSurroundings.Broker broker, Supplier<KafkaPublisher> maker) {
    this.topics = broker.topics();
    this.maker = maker;
    if (!broker.isAway()) {
      publisher = maker.get();
    }
  }

  /**
   * The step that waits for a broker that is away, and has no more to do once that has answered.
   */
  Step step() {
    return Step.of("await-broker", this::look);
  }

  private NextRound look() {
    try {
      topics.run();
    } catch (TopicsUnusable e) {
      say(e);
      return NextRound.after(RETRY_AFTER);
    }
    begin(maker.get());
    LOG.info("the broker answers: the delay queue begins");
    return NextRound.after(NEVER_AGAIN);
  }

  /** Closes a publisher that was made while the node ended. */
  private synchronized void begin(KafkaPublisher made) {
    publisher = made;
    if (closed) {
      made.close();
    }
  }

  private void say(TopicsUnusable why) {
    obstacle = why.brokerAway() ? AWAY : "the topics cannot be used, as the log says";
    String reason = why.brokerAway() ? AWAY : String.valueOf(why.getMessage());
    if (!reason.equals(said)) {
      said = reason;
      LOG.atWarn().addKeyValue("why", why.getMessage()).log("the delay queue cannot begin");
    }
  }

  /** Why nothing can be published at present; empty while the broker answers. */
  Optional<String> obstacle() {
    KafkaPublisher open = publisher;
    if (open == null) {
      return Optional.of(obstacle);
    }
    return open.answers() ? Optional.empty() : Optional.of(AWAY);
  }

  @Override
  public int partitions(MessageOutput output) {
    KafkaPublisher open = publisher;
    return open == null ? 0 : open.partitions(output);
  }

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return KafkaPublisher.partitionOf(key, partitions);
  }

  @Override
  public void send(OutgoingRecord outgoing, SendCallback callback) {
    KafkaPublisher open = publisher;
    if (open == null) {
      callback.completed(new SendResult.Failed(AWAY));
    } else {
      open.send(outgoing, callback);
    }
  }

  /** Called when the step is not driven any more, or did not end in time. */
  @Override
  public synchronized void close() {
    closed = true;
    KafkaPublisher open = publisher;
    if (open != null) {
      open.close();
    }
  }
}
