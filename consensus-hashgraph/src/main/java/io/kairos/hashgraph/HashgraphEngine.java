package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import com.hedera.hapi.node.state.roster.Roster;
import com.hedera.hapi.node.state.roster.RosterEntry;
import com.hedera.hapi.platform.event.EventDescriptor;
import com.hedera.hapi.platform.state.ConsensusSnapshot;
import com.hedera.pbj.runtime.ParseException;
import com.hedera.pbj.runtime.io.buffer.Bytes;
import com.swirlds.base.time.Time;
import com.swirlds.config.api.Configuration;
import com.swirlds.config.api.ConfigurationBuilder;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hiero.base.crypto.Hash;
import org.hiero.consensus.config.BasicConfig;
import org.hiero.consensus.config.EventConfig;
import org.hiero.consensus.hashgraph.config.ConsensusConfig;
import org.hiero.consensus.hashgraph.impl.ConsensusEngine;
import org.hiero.consensus.hashgraph.impl.ConsensusEngineOutput;
import org.hiero.consensus.hashgraph.impl.DefaultConsensusEngine;
import org.hiero.consensus.metrics.noop.NoOpMetrics;
import org.hiero.consensus.model.event.EventDescriptorWrapper;
import org.hiero.consensus.model.event.EventOrigin;
import org.hiero.consensus.model.event.PlatformEvent;
import org.hiero.consensus.model.event.UnsignedEvent;
import org.hiero.consensus.model.hashgraph.ConsensusRound;
import org.hiero.consensus.model.node.NodeId;
import org.hiero.consensus.model.status.PlatformStatus;

/**
 * The hashgraph engine of Hiero, which decides the order of events: a function of the events alone.
 * This is the only class that knows Hiero's classes, which have no promise of stability. The engine
 * verifies nothing; it is given parents before children, and only events that were checked. It is
 * not given requests, because the order does not depend on them.
 */
final class HashgraphEngine {
  /** Rounds after which an event that was not ordered is given up, as the engine has it. */
  static final int ROUNDS_NON_ANCIENT;

  private static final Configuration CONFIG =
      ConfigurationBuilder.create()
          .withConfigDataType(ConsensusConfig.class)
          .withConfigDataType(EventConfig.class)
          .withConfigDataType(BasicConfig.class)
          .build();

  static {
    ROUNDS_NON_ANCIENT = CONFIG.getConfigData(ConsensusConfig.class).roundsNonAncient();
  }

  private final ConsensusEngine engine;
  private long fed;

  /** The result of an event: rounds in their order, and events that will never be ordered. */
  record Decisions(List<Round> rounds, List<EventHash> stale) {}

  /**
   * A decided round.
   *
   * @param ancientBelow events born before this round are not ordered any more
   * @param snapshot from which another engine goes on after this round, given all events that are
   *     not ancient
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque
  record Round(long number, long ancientBelow, byte[] snapshot, List<Ordered> events) {}

  /** An ordered event with the time that the replicas agreed on. */
  record Ordered(EventHash hash, Instant agreed) {}

  @SuppressWarnings("removal") // the metrics that nobody reads
  HashgraphEngine(ReplicaId self, ReplicaGroup cluster) {
    Roster roster =
        new Roster(
            IntStream.range(0, cluster.size())
                .mapToObj(id -> new RosterEntry(id, 1, Bytes.EMPTY, List.of()))
                .toList());
    this.engine =
        new DefaultConsensusEngine(
            CONFIG,
            new NoOpMetrics(),
            new StoppedTime(),
            roster,
            NodeId.of(self.number()),
            _ -> false,
            1L);
    engine.updatePlatformStatus(PlatformStatus.ACTIVE);
  }

  /** The engine asks for the time only to measure itself, which nobody reads. */
  private static final class StoppedTime implements Time {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long currentTimeMillis() {
      return 0;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }
  }

  /** Begins again after the round of a snapshot; to be given all events that are not ancient. */
  void restore(byte[] snapshot) {
    try {
      engine.outOfBandSnapshotUpdate(ConsensusSnapshot.PROTOBUF.parse(Bytes.wrap(snapshot)));
    } catch (ParseException e) {
      throw new IllegalStateException("the engine cannot read a snapshot of an engine", e);
    }
  }

  /**
   * Adds an event whose known parents were added before.
   *
   * @param generation greater than those of its known parents
   */
  Decisions add(Event event, long generation) {
    UnsignedEvent unsigned =
        new UnsignedEvent(
            NodeId.of(event.creator().number()),
            event.body().parents().stream().map(HashgraphEngine::descriptor).toList(),
            event.birthRound(),
            event.body().created(),
            List.of(),
            event.body().coin());
    unsigned.setHash(new Hash(event.hash().bytes()));
    PlatformEvent added = new PlatformEvent(unsigned, Bytes.EMPTY, EventOrigin.GOSSIP);
    added.setNGen(generation);
    added.setSequenceNumber(++fed);
    ConsensusEngineOutput output = engine.addEvent(added);
    List<Round> rounds = new ArrayList<>();
    for (ConsensusRound round : output.consensusRounds()) {
      List<Ordered> events = new ArrayList<>();
      for (PlatformEvent each : round.getConsensusEvents()) {
        events.add(new Ordered(hash(each), requireNonNull(each.getConsensusTimestamp())));
      }
      rounds.add(
          new Round(
              round.getRoundNum(),
              round.getEventWindow().ancientThreshold(),
              ConsensusSnapshot.PROTOBUF.toBytes(round.getSnapshot()).toByteArray(),
              events));
    }
    return new Decisions(rounds, output.staleEvents().stream().map(HashgraphEngine::hash).toList());
  }

  private static EventDescriptorWrapper descriptor(Event.Parent parent) {
    Hash hash = new Hash(parent.hash().bytes());
    return new EventDescriptorWrapper(
        new EventDescriptor(hash.getBytes(), parent.creator().number(), parent.birthRound()));
  }

  private static EventHash hash(PlatformEvent event) {
    return new EventHash(requireNonNull(event.getHash()).copyToByteArray());
  }
}
