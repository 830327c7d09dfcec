package io.kairos.server.observe;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.Overview;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the store said last about how much it holds. Asked by one thread, read by any. */
final class StoreView {
  private final Supplier<Overview> store;
  private final InstantSource clock;
  private volatile @Nullable Look last;

  private record Look(Overview overview, long atMicros) {}

  StoreView(Supplier<Overview> store, InstantSource clock) {
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
   * Due time of the message that has been waiting unclaimed for longest; {@link Long#MAX_VALUE}
   * when none was overdue at the last look: one that has come due since is most likely claimed.
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
