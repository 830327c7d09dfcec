package io.kairos.inprocess;

import io.kairos.client.net.LocalNode;
import io.kairos.domain.node.NodeId;
import io.kairos.edge.call.ReadyNode;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.LivenessConfig;
import io.kairos.engine.node.LivenessEvents;
import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskEvents;
import io.kairos.engine.trace.RunSpans;
import io.kairos.engine.trace.TaskSpans;
import io.kairos.node.LoopThreads;
import io.kairos.node.NodeCore;
import io.kairos.postgres.PostgresStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that runs inside an application: its stores, steps and threads. The steps that keep it and
 * its leases alive have platform threads, so that virtual threads of the application which compute
 * do not make it look dead; all others have virtual ones. Started and closed once.
 */
final class InProcessRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InProcessRun.class);

  /** Those of which the lateness would look like a death. */
  private static final Set<String> NEVER_STARVED = Set.of("liveness", "extend-leases");

  private static final Duration ENROLS_WITHIN = Duration.ofSeconds(10);
  private static final Duration UNDER_WAY_ENDS_WITHIN = Duration.ofSeconds(3);
  private static final Duration LOOPS_END_WITHIN = Duration.ofSeconds(1);

  /** As a node without a broker: no statement of a departed node runs any more after it. */
  private static final Duration BURIED_AFTER = Duration.ofMinutes(1);

  private final PostgresStores stores;
  private final NodeCore core;
  private final LoopThreads threads;
  private final InProcessNode node;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean broken = new AtomicBoolean();

  private InProcessRun(PostgresStores stores, KnownHandlers handlers, CountDownLatch enrolled) {
    this.stores = stores;
    LivenessEvents liveness =
        new LivenessEvents() {
          @Override
          public void enrolled(NodeId id) {
            enrolled.countDown();
          }

          @Override
          public void lapsed(NodeId id, String why) {
            LOG.atWarn()
                .addKeyValue("node", id)
                .addKeyValue("why", why)
                .log("this node was not heard of in time, and begins anew");
          }
        };
    core =
        NodeCore.assemble(
            new NodeCore.Settings(
                LivenessConfig.DEFAULT, TaskConfig.DEFAULT, ScheduleConfig.DEFAULT),
            new NodeCore.Stores(
                stores.liveness(), stores.tasks(), stores.schedules(), stores.notifier()),
            new NodeCore.Listeners(
                liveness, TaskEvents.NONE, ScheduleEvents.NONE, TaskSpans.NONE, RunSpans.NONE));
    ReadyNode.Parts parts =
        new ReadyNode.Parts(core.tasks(), null, core.schedules(), null, null, null, null);
    node =
        new InProcessNode(
            core,
            new ReadyNode(() -> broken.get() ? Optional.empty() : Optional.of(parts)),
            handlers);
    List<StepActivity> activities = new ArrayList<>(core.activities());
    activities.add(core.life().burial(BURIED_AFTER));
    activities.add(node.activity());
    threads =
        new LoopThreads(
            activities,
            NodeCore.MONOTONIC,
            this::broken,
            name ->
                NEVER_STARVED.contains(name) ? Thread.ofPlatform().daemon() : Thread.ofVirtual());
  }

  /** Starts a node; the stores are closed with it. */
  static InProcessRun start(PostgresStores stores, KnownHandlers handlers) {
    CountDownLatch enrolled = new CountDownLatch(1);
    InProcessRun run = new InProcessRun(stores, handlers, enrolled);
    run.threads.start();
    boolean acts;
    try {
      acts = enrolled.await(ENROLS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      run.close();
      Thread.currentThread().interrupt();
      throw new InProcessStartException("Kairos cannot start: its thread was interrupted.", e);
    }
    if (!acts) {
      run.close();
      throw new InProcessStartException(
          "Kairos cannot start: this node was not enrolled within "
              + ENROLS_WITHIN.toSeconds()
              + " s, because the database does not answer or the clocks differ by more than "
              + LivenessConfig.DEFAULT.clockBound().toMillis()
              + " ms; the log says which.",
          null);
    }
    LOG.atInfo().addKeyValue("node", run.core.life().id().orElse(null)).log("node started");
    return run;
  }

  LocalNode node() {
    return node;
  }

  /** Called on a dying thread. Other nodes take over what this one held. */
  private void broken(String what, Throwable why) {
    if (!closed.get() && broken.compareAndSet(false, true)) {
      LOG.atError()
          .addKeyValue("loop", what)
          .setCause(why)
          .log("the node is broken and ends; its tasks go to other nodes");
      var _ = Thread.ofVirtual().name("kairos-end").start(this::close);
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    ended(() -> core.tasks().sendWorkersAway());
    ended(() -> core.tasks().stop(UNDER_WAY_ENDS_WITHIN));
    ended(() -> core.life().end());
    List<String> left = threads.stop(LOOPS_END_WITHIN);
    if (!left.isEmpty()) {
      LOG.atWarn().addKeyValue("threads", left).log("loops did not end in time");
    }
    ended(() -> core.tasks().giveBack(LOOPS_END_WITHIN));
    node.close();
    stores.close();
    LOG.info("node stopped");
  }

  private static void ended(Runnable stop) {
    try {
      stop.run();
    } catch (RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("why", e.getMessage())
          .log(
              "could not tell the store that this node stops; what it holds is taken over when its"
                  + " liveness lapses");
    }
  }
}
