package io.kairos.engine.delay.setup;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.delay.SubmissionReader;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.InputSource;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pair of input and output topics that this node serves.
 *
 * @param inputTopic the source named in dead letters and results
 * @param outputTopic where messages go that do not name one of the allowed outputs
 * @param allowedOutputs outputs that messages may name
 * @param deadLetterTopic where records go that cannot be handled
 * @param resultsTopic where outcomes of control records are published; null for nowhere
 * @param relayId true when published messages carry their id in a header
 * @param ordersByRecordKey true when a message that becomes a task has its record's key as ordering
 *     key
 * @param rejectBeyond a message whose due time is longer ago is parked instead of fired; null for
 *     no bound
 */
public record Route(
    RouteId id,
    String name,
    String inputTopic,
    TopicName outputTopic,
    Set<MessageOutput> allowedOutputs,
    TopicName deadLetterTopic,
    @Nullable TopicName resultsTopic,
    boolean relayId,
    boolean ordersByRecordKey,
    @Nullable Duration rejectBeyond,
    InputSource source) {
  public Route {
    allowedOutputs = Set.copyOf(allowedOutputs);
  }

  public MessageOutput outputOf(DelayedMessage message) {
    MessageOutput own = message.output();
    return own == null ? outputTopic : own;
  }

  public SubmissionReader reader(long maxPayloadBytes) {
    return new SubmissionReader(id, allowedOutputs, maxPayloadBytes, relayId, ordersByRecordKey);
  }

  /** True when the message must not be fired any more. */
  public boolean isTooLate(DelayedMessage message, long nowMicros) {
    return rejectBeyond != null
        && nowMicros - message.dueMicros() > EpochMicros.lengthOf(rejectBeyond);
  }
}
