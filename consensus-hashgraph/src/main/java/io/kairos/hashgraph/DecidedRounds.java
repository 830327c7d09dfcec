package io.kairos.hashgraph;

import io.kairos.hashgraph.HashgraphEngine.Decisions;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has the engine decide rounds, executes their requests in order, and makes a snapshot every so
 * many rounds. On the log's thread only.
 */
final class DecidedRounds {
  private final HashgraphConfig config;
  private final HashgraphCore.Application application;
  private final EventGraph graph;
  private final SnapshotSharing snapshots;
  private final ReplicaMemory memory;
  private final OccurrenceCounts counts;
  private HashgraphEngine engine;
  private long round = 1;
  private long ancientBelow = 1;
  private Instant agreed = Instant.EPOCH;
  private byte @Nullable [] snapshot;

  /** {@link #ancientBelow} at the last snapshot. */
  private long ancientAtSnapshot = 1;

  /** {@link #ancientBelow} at the snapshot before the last one: events from there on are kept. */
  private long keeps = 1;

  DecidedRounds(
      HashgraphConfig config,
      HashgraphCore.Application application,
      EventGraph graph,
      SnapshotSharing snapshots,
      ReplicaMemory memory,
      OccurrenceCounts counts) {
    this.config = config;
    this.application = application;
    this.graph = graph;
    this.snapshots = snapshots;
    this.memory = memory;
    this.counts = counts;
    this.engine = new HashgraphEngine(config.self(), config.cluster());
  }

  /** The first undecided round. */
  long round() {
    return round;
  }

  /** Events born before this round are not ordered any more. */
  long ancientBelow() {
    return ancientBelow;
  }

  /** All events born in this round or later are kept, for those who are behind. */
  long keeps() {
    return keeps;
  }

  /** The time of the last request; 1970 before the first. */
  Instant agreed() {
    return agreed;
  }

  /** True while this replica makes no events, because it has forgotten those that it made. */
  boolean isSilent() {
    return memory.silence().isSilentAt(ancientBelow);
  }

  /** Goes on after a snapshot, with no events yet. */
  void begin(byte[] encoded) {
    LogSnapshot from =
        LogSnapshot.decode(encoded)
            .orElseThrow(() -> new IllegalStateException("a snapshot cannot be read"));
    engine = new HashgraphEngine(config.self(), config.cluster());
    engine.restore(from.engine());
    application.restore(from.state());
    agreed = from.agreed();
    round = from.round() + 1;
    ancientBelow = from.ancientBelow();
    ancientAtSnapshot = ancientBelow;
    keeps = ancientBelow;
    snapshot = encoded;
    snapshots.made(from.round(), encoded);
  }

  /** Gives an accepted event to the engine, and executes the rounds that it decides. */
  Decisions add(Event event, long generation) {
    Decisions decisions = engine.add(event, generation);
    decisions.rounds().forEach(this::decided);
    return decisions;
  }

  private void decided(HashgraphEngine.Round decided) {
    for (HashgraphEngine.Ordered ordered : decided.events()) {
      Event event =
          graph
              .decided(ordered.hash())
              .orElseThrow(
                  () -> new IllegalStateException("the engine ordered what it was not given"));
      agreed = ordered.agreed().isAfter(agreed) ? ordered.agreed() : agreed;
      for (byte[] request : event.body().requests()) {
        if (!application.execute(event.creator(), request, agreed)) {
          counts.note(Occurrence.SKIPPED, event.creator());
        }
      }
    }
    round = decided.number() + 1;
    ancientBelow = decided.ancientBelow();
    application.executed(decided.number(), decided.events().size());
    if (decided.number() % config.bounds().snapshotEvery() == 0) {
      byte[] made =
          new LogSnapshot(
                  decided.number(),
                  ancientBelow,
                  agreed,
                  decided.snapshot(),
                  application.snapshot())
              .encode();
      snapshot = made;
      snapshots.made(decided.number(), made);
      keeps = ancientAtSnapshot;
      ancientAtSnapshot = ancientBelow;
      if (!memory.isReplaying()) {
        remember();
      }
    }
  }

  /** Writes the journal anew, with the last snapshot and the events since. */
  void remember() {
    remember(graph.since(ancientAtSnapshot));
  }

  /** Writes the journal anew, with the last snapshot and these events. */
  void remember(List<Event> events) {
    memory.replace(snapshot, graph.forkers(), events);
  }
}
