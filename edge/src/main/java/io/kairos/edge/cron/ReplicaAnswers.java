package io.kairos.edge.cron;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.GetTrailResponse;
import io.kairos.api.v1.Replica;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.clock.AgreedClock.KnownReading;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.RequestTrail;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import io.kairos.engine.replica.PeerReport;
import io.kairos.engine.replica.PeerVotes;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes the state of a replica as API messages. */
final class ReplicaAnswers {
  private ReplicaAnswers() {}

  /**
   * The state of a replica between two requests. Called on the log's thread.
   *
   * @param clock its own
   */
  static Replica replica(ReplicaFacts facts, ReplicaView seen, Instant clock) {
    CronMachine machine = seen.machine();
    Replica.Builder wire =
        Replica.newBuilder()
            .setCluster(facts.cluster())
            .setClock(ProtoTime.of(clock))
            .setNumber(facts.self().number())
            .setSequence(seen.log().sequence())
            .setAgreedSequence(seen.log().agreed())
            .setEffectsWaiting(machine.outbox().count())
            .setEntries(machine.tables().entryCount())
            .addAllModules(seen.book().modules());
    Map<ReplicaId, KnownReading> readings =
        byReplica(machine.clock().readings(), KnownReading::replica);
    Map<ReplicaId, PeerVotes> votes = byReplica(seen.log().votes(), PeerVotes::from);
    for (ReplicaFacts.Peer peer : facts.peers()) {
      Replica.Peer.Builder shown =
          wire.addPeersBuilder()
              .setNumber(peer.id().number())
              .setLogAddress(peer.logAddress())
              .setEdgeAddress(peer.edgeAddress());
      ifGiven(
          readings.get(peer.id()),
          reading ->
              shown.setClock(ProtoTime.of(reading.at())).setTicksSince(reading.ticksSince()));
      ifGiven(
          votes.get(peer.id()),
          known -> {
            known.last().ifPresent(last -> shown.setLastDigest(checkpoint(last)));
            known.partedAt().ifPresent(shown::setPartedAt);
          });
    }
    ifGiven(facts.leader(), leader -> wire.setLeader(leader.number()));
    if (machine.clock().now() instanceof AgreedTime.At(var instant)) {
      wire.setAgreedTime(ProtoTime.of(instant));
    }
    List<Checkpoint> checkpoints = seen.log().checkpoints(0);
    if (!checkpoints.isEmpty()) {
      wire.setLastCheckpoint(checkpoint(checkpoints.getLast()));
    }
    seen.log().peerReport().ifPresent(report -> wire.setPeerReport(wire(report)));
    return wire.build();
  }

  private static Replica.PeerReport wire(PeerReport report) {
    Replica.PeerReport.Builder wire =
        Replica.PeerReport.newBuilder()
            .setRound(report.round())
            .setSilent(report.isSilent())
            .addAllForkers(report.forkers().stream().map(ReplicaId::number).toList())
            .addAllStrangers(counts(report.strangers()));
    if (report.agreed().isAfter(Instant.EPOCH)) {
      wire.setAgreedTime(ProtoTime.of(report.agreed()));
    }
    report
        .peers()
        .forEach(peer ->
            wire.addPeersBuilder()
                .setNumber(peer.replica().number())
                .setRound(peer.round())
                .setConnected(peer.isConnected())
                .addAllOccurrences(counts(peer.occurrences())));
    return wire.build();
  }

  private static List<Replica.PeerReport.Count> counts(Map<String, Long> byKind) {
    return byKind.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(each ->
            Replica.PeerReport.Count.newBuilder()
                .setKind(each.getKey())
                .setCount(each.getValue())
                .build())
        .toList();
  }

  private static <T> Map<ReplicaId, T> byReplica(List<T> all, Function<T, ReplicaId> replica) {
    return all.stream().collect(Collectors.toMap(replica, Function.identity()));
  }

  private static Replica.Checkpoint checkpoint(Checkpoint checkpoint) {
    return Replica.Checkpoint.newBuilder()
        .setSequence(checkpoint.sequence())
        .setDigest(HexFormat.of().formatHex(checkpoint.digest()))
        .build();
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
