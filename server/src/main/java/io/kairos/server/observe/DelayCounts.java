package io.kairos.server.observe;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.Suspect;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Says for whoever polls how much the steps of the delay queue have done that look for work: they
 * themselves only tell listeners. Each event comes from one of them, within its round.
 */
public final class DelayCounts implements DelayEvents {
  private final AtomicInteger byClaim = new AtomicInteger();
  private final AtomicInteger byTakeover = new AtomicInteger();
  private final AtomicInteger byBackstop = new AtomicInteger();

  /** The same step, which says how much it has done. */
  public Step count(Step step) {
    return switch (step.name()) {
      case "claim" -> new Counted(step, byClaim);
      case "takeover" -> new Counted(step, byTakeover);
      case "backstop" -> new Counted(step, byBackstop);
      default -> step;
    };
  }

  @Override
  public void claimed(int count) {
    byClaim.addAndGet(count);
  }

  @Override
  public void deferred(int count) {
    byClaim.addAndGet(count);
  }

  @Override
  public void takenOver(NodeId from, boolean retired, List<Claimed> messages) {
    byTakeover.addAndGet(messages.size());
  }

  @Override
  public void suspected(NodeId holder, List<Suspect> reset) {
    byBackstop.addAndGet(reset.size());
  }

  private record Counted(Step step, AtomicInteger things) implements Step {
    @Override
    public String name() {
      return step.name();
    }

    @Override
    public Next runOnce() {
      things.set(0);
      return step.runOnce().having(things.get());
    }
  }
}
