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
    // Nobody has led yet when a cluster starts, so there is no reason to be patient.
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, electionAfter);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, electionAfter.multiply(2));
    // Also how long a leader waits for the answers of a majority before it gives up. A process that
    // has just started loads classes for half a second between two answers.
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, electionWithin);
    // For so long one that has lost its majority does not stand again: 10 s unless told otherwise,
    // in which nobody leads if only it has the whole log. After a longer pause one that leads gives
    // up, and by then the others have elected another.
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, electionWithin);
    // Until then a leader asks one that is away without a pause, on a whole core.
    RaftServerConfigKeys.Rpc.setSlownessTimeout(properties, electionAfter.multiply(2));
    RaftServerConfigKeys.setCloseThreshold(properties, LONGEST_PAUSE);
    // How long a leader waits for one that is away, or has lost its log. As soon as heartbeats are
    // due it sends nothing else, and of the answers to these it never believes that a log is lost:
    // with Ratis' own seconds it would ask for ever.
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(
        properties,
        "1ms,10, " + tryAgainAfterMillis(config.limits().electionAfter()) + "ms,1000000000");
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, RETRY_CACHE);
    // An answered request must be on the disks of a majority.
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    // Only whole files of the log are forgotten. One that lost everything would be given what is
    // left of a larger one, and execute that, before a snapshot.
    RaftServerConfigKeys.Log.setSegmentSizeMax(
        properties, SizeInBytes.valueOf(config.limits().snapshotEvery() * BYTES_OF_AN_ENTRY));
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    // So one that has been given a snapshot finds in the log what follows it, and needs no other.
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(
        properties, config.limits().snapshotEvery());
    // One entry that fails, as those do that were on their way while a snapshot was installed,
    // would fail all that follow for the life of the process.
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
