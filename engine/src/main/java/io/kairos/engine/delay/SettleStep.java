package io.kairos.engine.delay;

import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.util.List;

/**
 * Deletes what the broker has acknowledged, many in one statement, guarded by the fence (CH-27). A
 * message that is gone already was taken over and fired by somebody else: told, nothing else is
 * done (CH-28).
 */
final class SettleStep implements Step {
  private final Settled settled;
  private final MessageStore messages;
  private final Holding holding;
  private final DelayConfig.Firing config;
  private final DelayEvents events;
  private final Runnable tellDeleted;

  /**
   * The batch whose deletion was not confirmed. It may have happened, so a second try that finds
   * nothing is no surprise.
   */
  private List<Claimed> unconfirmed = List.of();

  /**
   * @param tellDeleted told after each batch that is gone from the store and from memory
   */
  SettleStep(NodeContext node, Settled settled, MessageStore messages, Runnable tellDeleted) {
    this.settled = settled;
    this.messages = messages;
    this.holding = node.holding();
    this.config = node.config().firing();
    this.events = node.events();
    this.tellDeleted = tellDeleted;
  }

  @Override
  public String name() {
    return "settle";
  }

  /** True when every acknowledged message has been deleted. */
  boolean isDone() {
    return settled.isEmpty();
  }

  @Override
  public Next runOnce() {
    boolean again = !unconfirmed.isEmpty();
    List<Claimed> batch = again ? unconfirmed : settled.take(config.settleBatch());
    if (batch.isEmpty()) {
      return Next.after(config.settleLinger());
    }
    unconfirmed = batch;
    List<Claimed> gone = messages.delete(batch);
    unconfirmed = List.of();
    settled.confirmed(batch.size());
    holding.released(batch);
    tellDeleted.run();
    if (!gone.isEmpty() && !again) {
      events.gone(gone);
    }
    return batch.size() == config.settleBatch() || again
        ? Next.AT_ONCE
        : Next.after(config.settleLinger());
  }
}
