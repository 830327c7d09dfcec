package io.kairos.edge.cron;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.GetTrailResponse;
import io.kairos.api.v1.Replica;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.RequestTrail;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the state of a replica as API messages. */
final class ReplicaAnswers {
  private ReplicaAnswers() {}

  /**
   * The state of a replica between two requests.
   *
   * @param checkpoint the last checkpoint; null before the first
   * @param agreed the last sequence at which its state is known to have equalled the others' state
   */
  record Seen(
      long sequence,
      AgreedTime time,
      @Nullable Checkpoint checkpoint,
      long agreed,
      int effects,
      int entries,
      List<String> modules) {
    /** Reads the state. Called on the log's thread. */
    static Seen of(ReplicaView replica) {
      CronMachine machine = replica.machine();
      List<Checkpoint> checkpoints = replica.log().checkpoints(0);
      return new Seen(
          replica.log().sequence(),
          machine.clock().now(),
          checkpoints.isEmpty() ? null : checkpoints.getLast(),
          replica.log().agreed(),
          machine.outbox().count(),
          machine.tables().entryCount(),
          replica.book().modules());
    }
  }

  static Replica replica(ReplicaFacts facts, Seen seen) {
    Replica.Builder wire =
        Replica.newBuilder()
            .setCluster(facts.cluster())
            .setSelf(facts.self().number())
            .setSequence(seen.sequence())
            .setAgreedSequence(seen.agreed())
            .setEffectsWaiting(seen.effects())
            .setEntries(seen.entries())
            .addAllModules(seen.modules());
    for (ReplicaFacts.Peer peer : facts.peers()) {
      wire.addPeers(
          Replica.Peer.newBuilder()
              .setNumber(peer.id().number())
              .setLogAddress(peer.logAddress())
              .setEdgeAddress(peer.edgeAddress()));
    }
    ReplicaId leader = facts.leader();
    if (leader != null) {
      wire.setLeader(leader.number());
    }
    if (seen.time() instanceof AgreedTime.At(var instant)) {
      wire.setAgreedTime(ProtoTime.of(instant));
    }
    Checkpoint checkpoint = seen.checkpoint();
    if (checkpoint != null) {
      wire.setLastCheckpoint(
          Replica.Checkpoint.newBuilder()
              .setSequence(checkpoint.sequence())
              .setDigest(HexFormat.of().formatHex(checkpoint.digest())));
    }
    return wire.build();
  }

  static GetTrailResponse trail(List<RequestTrail.Step> steps) {
    GetTrailResponse.Builder answer = GetTrailResponse.newBuilder();
    steps.forEach(step -> answer.addSteps(step(step)));
    return answer.build();
  }

  private static GetTrailResponse.Step step(RequestTrail.Step step) {
    GetTrailResponse.Step.Builder wire =
        GetTrailResponse.Step.newBuilder().setSequence(step.sequence()).setWrites(step.writes());
    return switch (step.place()) {
      case RequestTrail.Place.Entry(var component, int position) ->
          wire.setComponent(component.value()).setPosition(position).build();
      case RequestTrail.Place.Rest _ -> wire.build();
    };
  }
}
