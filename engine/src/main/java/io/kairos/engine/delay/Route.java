package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.delay.SubmissionReader;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.port.InputSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An input→output pair that this node serves.
 *
 * @param inputTopic for naming the source in dead letters and results
 * @param outputTopic where its messages go unless they name one of the allowed outputs
 * @param deadLetterTopic where records go that cannot be handled
 * @param resultsTopic where outcomes of control records are told, or null for nowhere
 */
public record Route(
    RouteId id,
    String name,
    String inputTopic,
    TopicName outputTopic,
    Set<Output> allowedOutputs,
    TopicName deadLetterTopic,
    @Nullable TopicName resultsTopic,
    boolean relayId,
    InputSource source) {
  public Route {
    allowedOutputs = Set.copyOf(allowedOutputs);
  }

  Output outputOf(DelayedMessage message) {
    Output own = message.output();
    return own == null ? outputTopic : own;
  }

  SubmissionReader reader(long maxPayloadBytes) {
    return new SubmissionReader(id, allowedOutputs, maxPayloadBytes, relayId);
  }
}
