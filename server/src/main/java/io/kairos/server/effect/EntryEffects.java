package io.kairos.server.effect;

import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.cron.entry.EffectBody;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.push.DirectPush;
import java.util.function.Consumer;

/**
 * Executes the effects of cron entries: schedules tasks and messages at a node, and sends pushes
 * itself. The id of an effect is made of cluster, component, entry and tick, so that all replicas
 * use an equal one.
 *
 * @param cluster name of the cluster, which makes ids unique beyond its log
 */
public record EntryEffects(String cluster, NodeCalls node, DirectPush pushes, EffectEvents events)
    implements EffectSink {
  @Override
  public void ask(Effect effect, Consumer<Answer> answered) {
    String id = id(effect);
    EffectBody body;
    try {
      body = EffectBody.decode(effect.body());
    } catch (IllegalArgumentException e) {
      end(effect, "unknown", new AttemptOutcome.Failed(String.valueOf(e.getMessage())), answered);
      return;
    }
    switch (body.work()) {
      case EntryWork.EnqueueTask task ->
          node.schedule(task, body.dueAt(), id, outcome -> end(effect, "task", outcome, answered));
      case EntryWork.PostMessage message ->
          node.schedule(
              message, body.dueAt(), id, outcome -> end(effect, "message", outcome, answered));
      case EntryWork.PushToPool push ->
          node.schedule(push, body.dueAt(), id, outcome -> end(effect, "pool", outcome, answered));
      case EntryWork.Push push ->
          pushes.post(
              push.endpoint(),
              push.path(),
              push.contentType(),
              push.body(),
              id,
              outcome -> end(effect, "push", outcome, answered));
    }
  }

  /** Nodes refuse keys of callers that begin like those of Kairos itself. */
  private String id(Effect effect) {
    String kind = cluster.startsWith(TaskIdempotency.RESERVED_PREFIX) ? "cron/" : "";
    return kind + cluster + "/" + effect.id();
  }

  private void end(Effect effect, String kind, AttemptOutcome outcome, Consumer<Answer> answered) {
    switch (outcome) {
      case AttemptOutcome.Succeeded _ -> {
        events.done(effect.id(), kind);
        answered.accept(Answer.DONE);
      }
      case AttemptOutcome.Failed(String why, _, _) -> {
        events.refused(effect.id(), kind, why);
        answered.accept(Answer.DONE);
      }
      case AttemptOutcome.Again again -> {
        events.notKnown(effect.id(), kind, again.error());
        answered.accept(Answer.NOT_KNOWN);
      }
      case AttemptOutcome.Cancelled _, AttemptOutcome.NotBegun _, AttemptOutcome.Snoozed _ ->
          throw new IllegalStateException("a request ends by an answer, not " + outcome);
    }
  }
}
