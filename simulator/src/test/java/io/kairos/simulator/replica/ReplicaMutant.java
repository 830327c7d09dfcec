package io.kairos.simulator.replica;

import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.EffectId;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import io.kairos.engine.replica.PendingState;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.model.task.TaskStoreCalls;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that are broken on purpose, each in one way in which replicated cron has been or could
 * be broken. The judge knows none of them.
 */
// Overriding methods are found by their names and have the parameters of the log's.
@SuppressWarnings({"UnusedMethod", "UnusedVariable", "EffectivelyPrivate"})
public enum ReplicaMutant implements ReplicaWiring {
  /** Two copies of a request in the order are two requests. */
  REQUESTS_OF_CLIENTS_ARE_NOT_RECOGNISED {
    @Override
    public RequestOrigin origin(RequestOrigin origin, long index) {
      return origin.client().isReserved()
          ? origin
          : new RequestOrigin(new ClientId(1_000_000 + index), origin.request(), origin.replica());
    }
  },

  /** A snapshot under a running replica leaves it without the schedule of the others (CC-31). */
  SCHEDULE_IS_NOT_IN_THE_SNAPSHOT(PageArea.SCHEDULE),

  /** Agreed time is not carried on (CC-47). */
  TIME_IS_NOT_IN_THE_SNAPSHOT(PageArea.CLOCK),

  /** The state of the rounds is not carried on. */
  ROUNDS_ARE_NOT_IN_THE_SNAPSHOT(PageArea.ROUNDS),

  /** Failures of actions are forgotten with the replica (CC-10). */
  FAILURES_ARE_NOT_IN_THE_SNAPSHOT(PageArea.FAILURES),

  /** An action counts in a field of its own, which a replica that comes back has not. */
  ACTION_KEEPS_WHAT_IT_KNOWS_IN_A_FIELD {
    @Override
    public CronApplication application(CronApplication application, ReplicaId self) {
      long[] runs = {0};
      return with(application, (pages, _) -> ++runs[0] % 1_000);
    }
  },

  /** An action depends on the replica that it runs on. */
  ACTION_KNOWS_ITS_REPLICA {
    @Override
    public CronApplication application(CronApplication application, ReplicaId self) {
      return with(application, (_, _) -> self.number());
    }
  },

  /** A replica that comes back has entries that others have removed, and not those they added. */
  ENTRIES_ARE_BUILT_WITHOUT_LOOKING_AT_THE_STATE {
    @Override
    public CronApplication application(CronApplication application, ReplicaId self) {
      return new ReplicaApplication() {
        @Override
        boolean isToggled(ReservedPages pages) {
          return false;
        }
      };
    }
  },

  /** All read the clock of one replica, which may be wrong. */
  ONE_CLOCK_DECIDES {
    @Override
    public InstantSource clock(ReplicaId self, List<InstantSource> clocks) {
      return clocks.getFirst();
    }
  },

  /** Ticks carry no time, although there is one: periodic actions never run (CC-32). */
  TICKS_WITHOUT_TIME {
    @Override
    public @Nullable InstantSource clock(ReplicaId self, List<InstantSource> clocks) {
      return null;
    }
  },

  /** Everybody ticks all the time (CC-L1). */
  NO_ROTATION {
    @Override
    public boolean allTick() {
      return true;
    }
  },

  /** A tick that is being ordered does not count as pending (CC-37). */
  ORDERING_IS_NOT_PENDING {
    @Override
    public ReplicatedLog log(ReplicatedLog log) {
      return broken(
          log,
          new Object() {
            public PendingState pending(ClientId client, long request) {
              PendingState pending = log.pending(client, request);
              return pending == PendingState.ORDERING ? PendingState.NONE : pending;
            }
          });
    }
  },

  /** Effects that actions decided are forgotten with the replica. */
  OUTBOX_IS_NOT_IN_THE_SNAPSHOT(PageArea.OUTBOX),

  /** Effects are sent once, and a lost request or answer is not noticed. */
  WHAT_WAS_ASKED_FOR_IS_DONE {
    @Override
    public EffectSink sink(EffectSink sink, ReplicaId self) {
      return (effect, answered) -> {
        sink.ask(effect, _ -> {});
        answered.accept(EffectSink.Answer.DONE);
      };
    }
  },

  /** Nothing is asked for again. */
  A_REPLICA_ASKS_ONCE {
    @Override
    public EffectSink sink(EffectSink sink, ReplicaId self) {
      Set<EffectId> asked = new HashSet<>();
      return (effect, answered) -> {
        if (asked.add(effect.id())) {
          sink.ask(effect, answered);
        } else {
          answered.accept(EffectSink.Answer.NOT_KNOWN);
        }
      };
    }
  },

  /** The outside is told the asker's own name of an effect. */
  EACH_REPLICA_HAS_IDS_OF_ITS_OWN {
    @Override
    public EffectSink sink(EffectSink sink, ReplicaId self) {
      return (effect, answered) -> {
        EffectId id = effect.id();
        EffectId own = new EffectId(id.component(), id.position() + self.number(), id.sequence());
        sink.ask(new Effect(own, effect.asking(), effect.body()), answered);
      };
    }
  },

  /** Effects that replicas ask for in turn are asked for as soon as a single replica wants them. */
  ONE_THAT_WANTS_IT_IS_ENOUGH {
    @Override
    public ReplicatedLog logOfEffects(ReplicatedLog log) {
      return broken(
          log,
          new Object() {
            public ReplicaGroup cluster() {
              return new ReplicaGroup(1, ReplicaGroup.Faults.CRASH);
            }
          });
    }
  },

  /** A replica asks without waiting for what it says in the log: it may be far behind. */
  ASKS_BEFORE_IT_KNOWS_THE_PRESENT {
    @Override
    public ReplicatedLog logOfEffects(ReplicatedLog log) {
      return broken(
          log,
          new Object() {
            private boolean isPending;

            public void submit(
                ClientId client,
                long request,
                byte[] command,
                Consumer<SubmissionResult> answered) {
              if (isPending) {
                answered.accept(new SubmissionResult.Unknown("one is pending"));
              } else {
                isPending = true;
                log.submit(client, request, command, _ -> isPending = false);
                answered.accept(new SubmissionResult.Done(1, command));
              }
            }
          });
    }
  },

  /** Nobody compares the states of replicas. */
  STATES_ARE_NOT_COMPARED {
    @Override
    public ReplicatedLog log(ReplicatedLog log) {
      return broken(
          log,
          new Object() {
            public List<Checkpoint> checkpoints(long after) {
              return List.of();
            }
          });
    }
  },

  /** A replica loses one request of the order. */
  A_REQUEST_IS_PASSED_OVER {
    @Override
    public boolean passesOver(ReplicaId self, long index) {
      return self.number() == 1 && index == 1_500;
    }
  },

  /** A replica that comes back goes on where it was, with nothing. */
  STATE_IS_LOST_IN_A_CRASH {
    @Override
    public boolean restoresWhatItKept() {
      return false;
    }
  };

  /** The part that snapshots lack; null for none. */
  private final @Nullable PageArea forgotten;

  ReplicaMutant() {
    this.forgotten = null;
  }

  ReplicaMutant(PageArea forgotten) {
    this.forgotten = forgotten;
  }

  /** A value that an entry reads from its page. */
  private interface Kept {
    long at(ReservedPages pages, Tick tick);
  }

  private static CronApplication with(CronApplication application, Kept kept) {
    return TaskStoreCalls.overridden(
        CronApplication.class,
        application,
        new Object() {
          public void build(CronTableRegistry tables, ReservedPages pages) {
            application.build(tables, pages);
            tables
                .table(ReplicaApplication.FAST)
                .add(
                    new CronEntry(
                        99,
                        tick -> tick.sequence() % 10 == 0,
                        tick ->
                            ReplicaApplication.write(
                                pages, ReplicaApplication.FAST, 99, kept.at(pages, tick))));
          }
        });
  }

  @Override
  public StateMachine machine(StateMachine machine) {
    PageArea area = forgotten;
    return area == null ? machine : without(machine, area);
  }

  /** A machine whose snapshots lack the pages of an area. */
  private static StateMachine without(StateMachine machine, PageArea area) {
    return TaskStoreCalls.overridden(
        StateMachine.class,
        machine,
        new Object() {
          public byte[] snapshot() {
            ReservedPages pages = new ReservedPages(1 << 26);
            pages.restore(ReservedPages.Snapshot.decode(machine.snapshot()));
            pages.in(area).forEach(pages::delete);
            return pages.snapshot().encode();
          }
        });
  }

  private static ReplicatedLog broken(ReplicatedLog log, Object overriding) {
    return TaskStoreCalls.overridden(ReplicatedLog.class, log, overriding);
  }
}
