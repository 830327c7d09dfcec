package io.kairos.edge.cron;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.GetTrailResponse;
import io.kairos.api.v1.Replica;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.RequestTrail;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.util.HexFormat;
import java.util.List;

/** Writes the state of a replica as API messages. */
final class ReplicaAnswers {
  private ReplicaAnswers() {}

  /** The state of a replica between two requests. Called on the log's thread. */
  static Replica replica(ReplicaFacts facts, ReplicaView seen) {
    CronMachine machine = seen.machine();
    Replica.Builder wire =
        Replica.newBuilder()
            .setCluster(facts.cluster())
            .setNumber(facts.self().number())
            .setSequence(seen.log().sequence())
            .setAgreedSequence(seen.log().agreed())
            .setEffectsWaiting(machine.outbox().count())
            .setEntries(machine.tables().entryCount())
            .addAllModules(seen.book().modules());
    for (ReplicaFacts.Peer peer : facts.peers()) {
      wire.addPeers(
          Replica.Peer.newBuilder()
              .setNumber(peer.id().number())
              .setLogAddress(peer.logAddress())
              .setEdgeAddress(peer.edgeAddress()));
    }
    ifGiven(facts.leader(), leader -> wire.setLeader(leader.number()));
    if (machine.clock().now() instanceof AgreedTime.At(var instant)) {
      wire.setAgreedTime(ProtoTime.of(instant));
    }
    List<Checkpoint> checkpoints = seen.log().checkpoints(0);
    if (!checkpoints.isEmpty()) {
      Checkpoint last = checkpoints.getLast();
      wire.getLastCheckpointBuilder()
          .setSequence(last.sequence())
          .setDigest(HexFormat.of().formatHex(last.digest()));
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
      case RequestTrail.WriteSource.Entry(var component, int position) ->
          wire.setComponent(component.value()).setPosition(position).build();
      case RequestTrail.WriteSource.Rest _ -> wire.build();
    };
  }
}
