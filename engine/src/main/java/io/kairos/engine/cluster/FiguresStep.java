package io.kairos.engine.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a sample of what this node has counted at the end of each period, keeps an hour of them,
 * and shares them through the store: one row in five seconds, one for each route, and one of the
 * last minute by handler and endpoint, as long as there is something to tell of it. While the store
 * does not answer, or the node has no life, the samples are kept and written later, under the life
 * that the node has then. After a pause of the process one sample stands for all periods of the
 * pause. Driven by one thread; any thread may read.
 */
public final class FiguresStep implements Step {
  /** Rows of one write, after an outage. */
  private static final int MOST_AT_ONCE = 60;

  /** Old entries of gone nodes are looked for once in so many periods, and in as many. */
  private static final int PRUNES_EVERY = 12;

  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  private final Ports ports;

  /** The last hour, the latest last. */
  @GuardedBy("this")
  private final Deque<OwnPeriod> kept = new ArrayDeque<>();

  /** Of these the store has all up to the period. */
  @GuardedBy("this")
  private Told figures = Told.NOTHING;

  /** By handler and endpoint, of the last minute, the latest last. */
  @GuardedBy("this")
  private final Deque<OwnDetails> minute = new ArrayDeque<>();

  /** The store has the minute that ends with the period. */
  private Told details = Told.NOTHING;

  /** The store has what was so in the period. */
  private volatile Told routes = Told.NOTHING;

  /** The period that is under way; null before the first round. */
  private @Nullable Long present;

  private long prunedTo;

  /**
   * The surroundings of the step.
   *
   * @param life the id of the node's present life; empty while it has none
   * @param sample takes what was counted since the last sample
   * @param routes what is told of the node's routes; none for a node without a delay queue
   */
  public record Ports(
      ClusterStore store,
      Supplier<Optional<NodeId>> life,
      Supplier<NodeSample> sample,
      Supplier<List<RouteFigures>> routes,
      InstantSource clock) {}

  /**
   * The latest that the store was told of one thing.
   *
   * @param period number of the period
   * @param isSomething false when there was nothing to tell any more
   */
  private record Told(long period, boolean isSomething) {
    private static final Told NOTHING = new Told(0, false);

    /** True once in a period while there is something to tell, and once when there is no more. */
    private boolean isDue(long now, boolean hasSomething) {
      return now != period && (hasSomething || isSomething);
    }
  }

  private record OwnPeriod(long number, NodeSample sample) {}

  private record OwnDetails(long number, DetailFigures figures) {}

  public FiguresStep(Ports ports) {
    this.ports = ports;
  }

  @Override
  public String name() {
    return "share-figures";
  }

  @Override
  public NextRound runOnce() {
    turn();
    Optional<NodeId> life = ports.life().get();
    if (life.isPresent()) {
      write(life.get(), false);
      tell(life.get());
      tellRoutes(life.get());
      prune();
    }
    Duration left = Duration.between(ports.clock().instant(), FigurePeriod.end(periodNow()));
    return NextRound.after(left.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : left);
  }

  private long periodNow() {
    return FigurePeriod.of(ports.clock().instant());
  }

  /** Takes a sample when a period is over. A clock that is set back only begins another period. */
  private void turn() {
    long now = periodNow();
    Long under = present;
    if (under != null && now == under) {
      return;
    }
    NodeSample sample = sample();
    present = now;
    if (under != null && now > under) {
      keep(new OwnPeriod(now - 1, sample));
    }
  }

  /** One at a time: the end of the node may come while the step runs. */
  private synchronized NodeSample sample() {
    return ports.sample().get().bounded();
  }

  private synchronized void keep(OwnPeriod period) {
    if (!kept.isEmpty() && kept.getLast().number() >= period.number()) {
      return; // the clock was set back: what is known of that time stays
    }
    NodeSample sample = period.sample();
    kept.addLast(
        new OwnPeriod(
            period.number(), new NodeSample(sample.state(), sample.figures(), DetailFigures.NONE)));
    minute.addLast(new OwnDetails(period.number(), sample.details()));
    minute.removeIf(one -> one.number() <= period.number() - FigurePeriod.OF_A_MINUTE);
    if (kept.size() > FigurePeriod.KEPT) {
      kept.removeFirst();
    }
  }

  private void write(NodeId life, boolean isLast) {
    List<OwnPeriod> next = unwritten();
    while (!next.isEmpty()) {
      List<NodeFigures> told = new ArrayList<>();
      for (OwnPeriod period : next) {
        boolean ends = isLast && period.equals(next.getLast());
        told.add(
            new NodeFigures(
                life, period.number(), period.sample().state(), period.sample().figures(), ends));
      }
      ports.store().write(told);
      written(next.getLast().number());
      next = unwritten();
    }
  }

  /** The earliest that the store does not have. */
  private synchronized List<OwnPeriod> unwritten() {
    long toldTo = figures.period();
    return kept.stream().filter(period -> period.number() > toldTo).limit(MOST_AT_ONCE).toList();
  }

  private synchronized void written(long upTo) {
    figures = new Told(Math.max(upTo, figures.period()), true);
  }

  private void tell(NodeId life) {
    NodeDetails now = details(life);
    boolean hasSomething = !now.figures().isEmpty();
    if (details.isDue(now.period(), hasSomething)) {
      ports.store().tell(now);
      details = new Told(now.period(), hasSomething);
    }
  }

  private synchronized NodeDetails details(NodeId life) {
    return new NodeDetails(
        life,
        kept.isEmpty() ? 0 : kept.getLast().number(),
        minute.stream()
            .map(OwnDetails::figures)
            .reduce(DetailFigures.NONE, DetailFigures::then)
            .bounded());
  }

  private void tellRoutes(NodeId life) {
    long period = periodNow();
    List<RouteFigures> now = ports.routes().get();
    if (routes.isDue(period, !now.isEmpty())) {
      ports.store().tellRoutes(life, period, now);
      routes = new Told(period, !now.isEmpty());
    }
  }

  /** Looks at periods that all living nodes have written by now. */
  private void prune() {
    long upTo = periodNow() - PRUNES_EVERY;
    if (upTo - prunedTo >= PRUNES_EVERY) {
      var _ = ports.store().prune(upTo - PRUNES_EVERY, upTo - 1);
      prunedTo = upTo;
    }
  }

  /**
   * Tells the store that the node stops, so that nobody misses it, with what it has counted since
   * the last period. Called when the step is no longer driven, or is about to end.
   */
  public void finish() {
    Optional<NodeId> life = ports.life().get();
    if (life.isPresent()) {
      keep(new OwnPeriod(Math.max(periodNow(), latestNumber() + 1), sample()));
      write(life.get(), true);
      if (routes.isSomething()) {
        ports.store().tellRoutes(life.get(), periodNow(), List.of());
      }
    }
  }

  /** A clock that was set back must not keep the end of the node from being written. */
  private synchronized long latestNumber() {
    OwnPeriod last = kept.peekLast();
    return last == null ? 0 : last.number();
  }

  /** This node's own periods after this one, of the last hour. */
  synchronized List<NodeFigures> own(NodeId as, long after) {
    return kept.stream()
        .filter(period -> period.number() > after)
        .map(period ->
            new NodeFigures(
                as, period.number(), period.sample().state(), period.sample().figures(), false))
        .toList();
  }

  /** The latest sample; null before the end of the first period. */
  synchronized @Nullable NodeSample latest() {
    OwnPeriod last = kept.peekLast();
    return last == null ? null : last.sample();
  }
}
