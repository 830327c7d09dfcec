package io.kairos.edge;

import io.kairos.engine.audit.AuditConfig;
import io.kairos.engine.audit.AuditEvents;
import io.kairos.engine.audit.AuditRecord;
import io.kairos.engine.audit.AuditSearch;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.audit.FinishedCalls;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.model.audit.ModelAuditStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;

/** An audit log in memory that is written by whoever adds to it, instead of by a loop. */
public final class WrittenAudit {
  /** Lines as the log has them. */
  public final List<String> lines = new CopyOnWriteArrayList<>();

  /** True while nothing can be written. */
  public volatile boolean isAway;

  private final ModelAuditStore store =
      new ModelAuditStore(InstantSource.system()) {
        @Override
        public synchronized List<Long> write(List<NewEntry> begun, List<EndedCall> ended) {
          if (isAway) {
            throw new StoreUnavailable("for the test");
          }
          return super.write(begun, ended);
        }
      };

  /** What is recorded before the trail runs. */
  public final FinishedCalls finished =
      new FinishedCalls(
          System::nanoTime,
          new AuditEvents() {
            @Override
            public void recorded(AuditedCall call, String outcome, long more) {
              lines.add(call + " " + outcome + " " + more);
            }

            @Override
            public void lost(int entries) {}

            @Override
            public void undecided(OptionalInt entries) {}
          });

  public final AuditTrail trail =
      new AuditTrail(AuditConfig.DEFAULT, new AuditTrail.Ports(store, Inline::new, finished));

  private final class Inline implements Wakeup {
    @Override
    public void signal() {
      try {
        var _ = trail.activities().getFirst().step().runOnce();
      } catch (StoreUnavailable _) {
        // whoever waits has been told
      }
    }

    @Override
    public void await(Duration atMost) {}
  }

  /** All entries, newest first. */
  public List<AuditRecord> entries() {
    return trail.list(AuditSearch.latest(10_000));
  }
}
