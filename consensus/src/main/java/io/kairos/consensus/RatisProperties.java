package io.kairos.consensus;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Translates a configuration to properties of Ratis. */
final class RatisProperties {
  /** Time that a request waits to be committed before it is sent to the leader again. */
  static final long REQUEST_TIMEOUT_MILLIS = 3_000;

  /** Retention of Ratis' own table of requests, which is unused because the state has its own. */
  private static final TimeDuration RETRY_CACHE = TimeDuration.valueOf(5, TimeUnit.SECONDS);

  private static final int SNAPSHOTS_KEPT = 2;

  /** Approximate size of a tick, for estimates. */
  private static final long BYTES_OF_AN_ENTRY = 100;

  /** Attempts between two heartbeats; a leader sends two heartbeats per election timeout. */
  private static final int TRIES_BETWEEN_HEARTBEATS = 4;

  /** Pause of the process after which Ratis would close the server, set to never. */
  private static final TimeDuration LONGEST_PAUSE = TimeDuration.valueOf(36_500, TimeUnit.DAYS);

  private RatisProperties() {}

  static RaftProperties of(RatisConfig config) {
    RaftProperties properties = new RaftProperties();
    ReplicaAddress own = config.replicas().get(config.self().number());
    RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
    GrpcConfigKeys.Server.setHost(properties, own.host());
    GrpcConfigKeys.Server.setPort(properties, own.port());
    RaftServerConfigKeys.setStorageDir(
        properties, List.of(config.directory().resolve("log").toFile()));
    TimeDuration electionAfter = millis(config.limits().electionAfter());
    TimeDuration electionWithin = millis(config.limits().electionWithin());
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, electionAfter);
    // When a cluster starts no replica has led, so nothing is gained by a longer wait.
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, electionAfter);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, electionAfter.multiply(2));
    // A leader steps down when a majority has not answered for this time. A process that has just
    // started loads classes for half a second between two answers.
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, electionWithin);
    // A leader that has lost its majority steps down and does not stand for election for this time.
    // With Ratis' default of 10 s no replica would lead if only this one had the whole log.
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, electionWithin);
    // Until a follower counts as slow, the leader sends to it without a pause, which takes a whole
    // core.
    RaftServerConfigKeys.Rpc.setSlownessTimeout(properties, electionAfter.multiply(2));
    RaftServerConfigKeys.setCloseThreshold(properties, LONGEST_PAUSE);
    // The pause before a leader sends again to a follower that is away or has lost its log. Once a
    // heartbeat is due the leader sends only heartbeats, and from their answers it does not learn
    // that the log is lost: with Ratis' default of seconds it would send them for ever.
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(
        properties,
        "1ms,10, " + tryAgainAfterMillis(config.limits().electionAfter()) + "ms,1000000000");
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, RETRY_CACHE);
    // An answered request must be on the disks of a majority.
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    // Ratis deletes only whole segments. A replica that lost its log would otherwise be sent the
    // rest of a larger segment, and execute that, before a snapshot.
    RaftServerConfigKeys.Log.setSegmentSizeMax(
        properties, SizeInBytes.valueOf(config.limits().snapshotEvery() * BYTES_OF_AN_ENTRY));
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    // A replica that has installed a snapshot then finds the entries after it in the leader's log,
    // and needs no second snapshot.
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(
        properties, config.limits().snapshotEvery());
    // Composed appends fail together with an earlier one: after an append that failed because a
    // snapshot was being installed, all later ones would fail until the process ends.
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(
        properties, config.limits().snapshotEvery());
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, SNAPSHOTS_KEPT);
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        properties, TimeDuration.valueOf(REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
    return properties;
  }

  private static TimeDuration millis(Duration length) {
    return TimeDuration.valueOf(length.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static long tryAgainAfterMillis(Duration electionAfter) {
    return Math.max(1, electionAfter.toMillis() / 2 / TRIES_BETWEEN_HEARTBEATS);
  }

  static Parameters parameters(RatisConfig config) {
    Parameters parameters = new Parameters();
    PeerGuard guard = new PeerGuard(config);
    GrpcConfigKeys.Server.setServicesCustomizer(
        parameters, (builder, _) -> builder.intercept(guard));
    config
        .tls()
        .ifPresent(files ->
            GrpcConfigKeys.TLS.setConf(
                parameters,
                new GrpcTlsConfig(
                    files.key().toFile(), files.chain().toFile(), files.trusted().toFile(), true)));
    return parameters;
  }
}
