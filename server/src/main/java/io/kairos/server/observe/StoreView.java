package io.kairos.server.observe;

import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Overview;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the store said last about how much it holds. Asked by one thread, read by any. */
final class StoreView {
  private final MessageStore messages;
  private final Set<RouteId> routes;
  private volatile @Nullable Overview last;

  StoreView(MessageStore messages, Set<RouteId> routes) {
    this.messages = messages;
    this.routes = Set.copyOf(routes);
  }

  void ask() {
    last = messages.overview(routes);
  }

  double stored() {
    Overview view = last;
    return view == null ? Double.NaN : view.stored();
  }

  double pendingAmendments() {
    Overview view = last;
    return view == null ? Double.NaN : view.pendingAmendments();
  }

  /** Due time of the message that waits longest unclaimed; {@link Long#MAX_VALUE} for none. */
  long oldestMicros() {
    Overview view = last;
    return view == null ? Long.MAX_VALUE : view.oldestWaitingMicros().orElse(Long.MAX_VALUE);
  }
}
