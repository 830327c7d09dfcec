package io.kairos.engine.delay;

import io.kairos.engine.delay.memory.MessageHolding;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.loop.NextRound;
import java.util.List;

/**
 * Deletes messages that the broker has acknowledged, many in one statement, guarded by the fence. A
 * message that is already gone was taken over and fired by another node; the step only reports it
 * to the listener.
 */
final class SettleMessagesStep {
  private final AcknowledgedMessages settled;
  private final MessageStore messages;
  private final MessageHolding holding;
  private final DelayConfig.Firing config;
  private final DelayEvents events;
  private final Runnable tellDeleted;

  /**
   * The batch whose deletion was not confirmed. The deletion may have happened, so messages that
   * are gone at the retry are not reported.
   */
  private List<ClaimedMessage> unconfirmed = List.of();

  /**
   * @param tellDeleted runs after each batch that is deleted from the store and from memory
   */
  SettleMessagesStep(
      DelayContext node,
      AcknowledgedMessages settled,
      MessageStore messages,
      Runnable tellDeleted) {
    this.settled = settled;
    this.messages = messages;
    this.holding = node.holding();
    this.config = node.config().firing();
    this.events = node.events();
    this.tellDeleted = tellDeleted;
  }

  /** True when every acknowledged message has been deleted. */
  boolean isDone() {
    return settled.isEmpty();
  }

  NextRound runOnce() {
    boolean again = !unconfirmed.isEmpty();
    List<ClaimedMessage> batch = again ? unconfirmed : settled.take(config.settleBatch());
    if (batch.isEmpty()) {
      return NextRound.after(config.settleLinger());
    }
    unconfirmed = batch;
    List<ClaimedMessage> gone = messages.delete(batch);
    unconfirmed = List.of();
    settled.confirmed(batch.size());
    holding.released(batch);
    tellDeleted.run();
    if (!gone.isEmpty() && !again) {
      events.gone(gone);
    }
    return batch.size() == config.settleBatch() || again
        ? NextRound.AT_ONCE
        : NextRound.after(config.settleLinger());
  }
}
