package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A replica that crashes and comes back, with the log as in production. */
final class SimulatedReplica {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final HashgraphConfig.Bounds BOUNDS =
      new HashgraphConfig.Bounds(8 << 10, 128 << 10, 32 << 10, 64 << 10, 64 << 10, 512, 16);
  static final HashgraphConfig.Pace PACE =
      new HashgraphConfig.Pace(
          Duration.ofMillis(20),
          Duration.ofMillis(60),
          Duration.ofSeconds(1),
          Duration.ofMillis(5));
  private static final RequestSubmissions.Bounds SUBMISSIONS =
      new RequestSubmissions.Bounds(1_000, 1_000, Duration.ofSeconds(8));
  private static final long LOOK_NANOS = 5_000_000;

  final HashgraphConfig config;
  final SimulatedJournal journal;
  private final Timeline timeline;
  private final EventKeys keys;
  private final SplittableRandom random;
  private final HashgraphCore.Network network;
  Duration clockOff = Duration.ZERO;
  private @Nullable HashgraphLog log;
  boolean isLiar;

  /** A journal on a disk in the place of the simulated one. */
  @Nullable Supplier<FileJournal> files;

  private @Nullable FileJournal opened;
  private int life;

  SimulatedReplica(
      HashgraphConfig config,
      Timeline timeline,
      EventKeys keys,
      SplittableRandom random,
      HashgraphCore.Network network) {
    this.config = config;
    this.timeline = timeline;
    this.keys = keys;
    this.random = random;
    this.network = network;
    this.journal = new SimulatedJournal(random.split());
  }

  ReplicaId id() {
    return config.self();
  }

  @Nullable HashgraphLog log() {
    return log;
  }

  boolean isUp() {
    return log != null;
  }

  HashgraphLog open(
      StateMachine machine, OrderedExecution.Config execution, HashgraphLog.Watcher watcher) {
    life++;
    opened = files == null ? null : files.get();
    HashgraphLog running =
        HashgraphLog.open(
            config,
            machine,
            execution,
            SUBMISSIONS,
            new HashgraphLog.Surroundings(
                new TimelineThread(life),
                keys,
                opened == null ? journal : opened,
                network,
                this::clock,
                timeline::nowNanos,
                random,
                watcher));
    log = running;
    long phase = random.nextLong(LOOK_NANOS);
    repeat(life, phase, LOOK_NANOS, running::look);
    Step resend = running.steps().getFirst();
    repeat(
        life,
        phase,
        RequestSubmissions.AGAIN_EVERY.toNanos(),
        () -> {
          if (!running.isIdle()) {
            resend.runOnce();
          }
        });
    return running;
  }

  /** The time by this replica's clock. */
  Instant clock() {
    return START.plusNanos(timeline.nowNanos()).plus(clockOff);
  }

  /** Does something again and again, for as long as the replica lives. */
  void every(long nanos, Runnable action) {
    repeat(life, nanos, nanos, action);
  }

  private void repeat(int ofLife, long phase, long every, Runnable action) {
    timeline.after(
        phase,
        () -> {
          if (life == ofLife && log != null) {
            run(action);
            repeat(ofLife, every, every, action);
          }
        });
  }

  /** A liar's may stop, when it meets what another has made with its key. */
  private void run(Runnable action) {
    try {
      action.run();
    } catch (IllegalStateException e) {
      if (!isLiar) {
        throw e;
      }
      crash();
    }
  }

  void receive(ReplicaId from, byte[] message) {
    HashgraphLog running = log;
    if (running != null) {
      run(() -> running.receive(from, message, _ -> {}));
    }
  }

  /** Returns how many events of the journal were lost. */
  int crash() {
    HashgraphLog running = log;
    log = null;
    life++;
    if (running == null) {
      return 0;
    }
    int lost = journal.crash();
    if (opened != null) {
      opened.close();
    }
    running.close();
    return lost;
  }

  private final class TimelineThread implements LogThread {
    private final int ofLife;

    TimelineThread(int ofLife) {
      this.ofLife = ofLife;
    }

    @Override
    public boolean isCurrent() {
      return true;
    }

    @Override
    public void post(Runnable code, Runnable instead) {
      timeline.after(
          1_000,
          () -> {
            if (life == ofLife) {
              code.run();
            } else {
              instead.run();
            }
          });
    }
  }
}
