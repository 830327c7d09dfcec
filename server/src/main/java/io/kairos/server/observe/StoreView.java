package io.kairos.server.observe;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.MessageCounts;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store's last message counts. Updated by one thread, read by any. */
final class StoreView {
  private final Supplier<MessageCounts> store;
  private final InstantSource clock;
  private volatile @Nullable Look last;

  private record Look(MessageCounts overview, long atMicros) {}

  StoreView(Supplier<MessageCounts> store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  void ask() {
    last = new Look(store.get(), EpochMicros.of(clock.instant()));
  }

  double stored() {
    Look look = last;
    return look == null ? Double.NaN : look.overview.stored();
  }

  double pendingAmendments() {
    Look look = last;
    return look == null ? Double.NaN : look.overview.pendingAmendments();
  }

  /**
   * Due time of the oldest unclaimed message, in microseconds since 1970; {@link Long#MAX_VALUE}
   * when none was overdue at the last update, since a message that came due later is probably
   * claimed by now.
   */
  long oldestOverdueMicros() {
    Look look = last;
    if (look == null) {
      return Long.MAX_VALUE;
    }
    long oldest = look.overview.oldestWaitingMicros().orElse(Long.MAX_VALUE);
    return oldest < look.atMicros ? oldest : Long.MAX_VALUE;
  }
}
