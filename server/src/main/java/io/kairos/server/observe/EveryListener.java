package io.kairos.server.observe;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Rejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.Suspect;
import java.util.List;

/** Passes every event on to several listeners, in order. */
public final class EveryListener implements DelayEvents {
  private final DelayEvents[] listeners;

  public EveryListener(List<DelayEvents> listeners) {
    this.listeners = listeners.toArray(DelayEvents[]::new);
  }

  @Override
  public void accepted(RouteId route, int stored, int duplicates) {
    for (DelayEvents listener : listeners) {
      listener.accepted(route, stored, duplicates);
    }
  }

  @Override
  public void claimed(int count) {
    for (DelayEvents listener : listeners) {
      listener.claimed(count);
    }
  }

  @Override
  public void fired(DelayedMessage message, long latenessMicros, long publishNanos) {
    for (DelayEvents listener : listeners) {
      listener.fired(message, latenessMicros, publishNanos);
    }
  }

  @Override
  public void firedDirectly(DelayedMessage message, long latenessMicros) {
    for (DelayEvents listener : listeners) {
      listener.firedDirectly(message, latenessMicros);
    }
  }

  @Override
  public void deadLettered(RouteId route, Rejection.Reason reason) {
    for (DelayEvents listener : listeners) {
      listener.deadLettered(route, reason);
    }
  }

  @Override
  public void amended(AmendmentOutcome outcome) {
    for (DelayEvents listener : listeners) {
      listener.amended(outcome);
    }
  }

  @Override
  public void publishFailed(Output output, int partition, String why) {
    for (DelayEvents listener : listeners) {
      listener.publishFailed(output, partition, why);
    }
  }

  @Override
  public void resultRefused(RouteId route, TopicName topic, String why) {
    for (DelayEvents listener : listeners) {
      listener.resultRefused(route, topic, why);
    }
  }

  @Override
  public void deferred(int count) {
    for (DelayEvents listener : listeners) {
      listener.deferred(count);
    }
  }

  @Override
  public void takenOver(NodeId from, boolean retired, List<Claimed> messages) {
    for (DelayEvents listener : listeners) {
      listener.takenOver(from, retired, messages);
    }
  }

  @Override
  public void suspected(NodeId holder, List<Suspect> reset) {
    for (DelayEvents listener : listeners) {
      listener.suspected(holder, reset);
    }
  }

  @Override
  public void gone(List<Claimed> messages) {
    for (DelayEvents listener : listeners) {
      listener.gone(messages);
    }
  }

  @Override
  public void repositioned(RouteId route, int partition) {
    for (DelayEvents listener : listeners) {
      listener.repositioned(route, partition);
    }
  }
}
