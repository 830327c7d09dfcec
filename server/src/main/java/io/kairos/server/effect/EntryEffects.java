package io.kairos.server.effect;

import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.task.Outcome;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.cron.entry.EffectBody;
import io.kairos.engine.cron.entry.Work;
import io.kairos.server.push.DirectPush;
import java.util.function.Consumer;

/**
 * What the entries of a cron table ask for: tasks and messages are asked for at a node, pushes are
 * made from here. Everything has an id made of cluster, component, entry and tick, the same from
 * all replicas.
 */
public final class EntryEffects implements EffectSink {
  private final String cluster;
  private final NodeCalls node;
  private final DirectPush pushes;
  private final EffectEvents events;

  /**
   * @param cluster name of the cluster, because ids are unique in the life of its log only
   */
  public EntryEffects(String cluster, NodeCalls node, DirectPush pushes, EffectEvents events) {
    this.cluster = cluster;
    this.node = node;
    this.pushes = pushes;
    this.events = events;
  }

  @Override
  public void ask(Effect effect, Consumer<Answer> answered) {
    String id = cluster + "/" + effect.id();
    EffectBody body;
    try {
      body = EffectBody.decode(effect.body());
    } catch (IllegalArgumentException e) {
      end(effect, "unknown", new Outcome.Failed(String.valueOf(e.getMessage())), answered);
      return;
    }
    switch (body.work()) {
      case Work.EnqueueTask task ->
          node.schedule(task, body.dueAt(), id, outcome -> end(effect, "task", outcome, answered));
      case Work.PostMessage message ->
          node.schedule(
              message, body.dueAt(), id, outcome -> end(effect, "message", outcome, answered));
      case Work.Push push ->
          pushes.post(
              push.endpoint(),
              push.path(),
              push.contentType(),
              push.body(),
              id,
              outcome -> end(effect, "push", outcome, answered));
    }
  }

  private void end(Effect effect, String kind, Outcome outcome, Consumer<Answer> answered) {
    switch (outcome) {
      case Outcome.Succeeded _ -> {
        events.done(effect.id(), kind);
        answered.accept(Answer.DONE);
      }
      case Outcome.Failed(String why) -> {
        events.refused(effect.id(), kind, why);
        answered.accept(Answer.DONE);
      }
      case Outcome.Again again -> {
        events.notKnown(effect.id(), kind, again.error());
        answered.accept(Answer.NOT_KNOWN);
      }
      case Outcome.Cancelled _, Outcome.NotBegun _ ->
          throw new IllegalStateException("a request ends by an answer, not " + outcome);
    }
  }
}
