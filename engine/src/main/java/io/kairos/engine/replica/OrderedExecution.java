package io.kairos.engine.replica;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Executes the ordered requests of a log, for every implementation of the log: numbers them without
 * gaps, executes each once, and makes snapshots. Used by the log's thread only.
 *
 * <p>At regular sequences this class keeps a digest of the whole state. Replicas vote on their
 * digests by requests (see {@link VoteSender}), which are counted here and do not reach the state
 * machine. A replica whose state differs from the others executes nothing after it has noticed.
 */
public final class OrderedExecution {
  /** Number of checkpoints that are kept, and of sequences whose votes are kept. */
  static final int CHECKPOINTS_KEPT = 64;

  private static final byte[] NOTHING = {};

  private final StateMachine machine;
  private final Config config;
  private final ReplicaGroup cluster;
  private final DigestVotes votes;
  private final ClientTable clients;
  private final TreeMap<Long, byte[]> checkpoints = new TreeMap<>();
  private long sequence;
  private long agreed;

  /** Equal on all replicas. */
  public record Config(
      @Setting(defaultValue = "10000", min = "1", description = "How many clients are known.")
          int maxClients,
      @Setting(
              key = DIGEST_EVERY,
              defaultValue = "1000",
              min = "1",
              max = "1000000",
              description =
                  "So many requests replicas compare their states. The same for all replicas.")
          int digestEvery) {
    public static final String DIGEST_EVERY = "replica.digest-every";
    public static final Config DEFAULT = ConfigRecord.defaults(Config.class);

    /** Throws {@link IllegalArgumentException} that names the value out of range. */
    public Config {
      ConfigRecord.check(Config.class, maxClients, digestEvery);
    }
  }

  /** A digest of the whole state after the request with this sequence. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Checkpoint(long sequence, byte[] digest) {}

  public OrderedExecution(StateMachine machine, Config config, ReplicaGroup cluster) {
    this.machine = machine;
    this.config = config;
    this.cluster = cluster;
    this.votes = new DigestVotes(cluster);
    this.clients = new ClientTable(config.maxClients());
  }

  /** Executes the next request of a log that agrees on no time. */
  public SubmissionResult execute(RequestOrigin origin, byte[] command) {
    return execute(origin, AgreedTime.OFF, command);
  }

  /**
   * Executes the next request of the order, or finds that it was executed before.
   *
   * @param logTime see {@link OrderedRequest}
   * @throws ReplicasDivergedException if a vote shows that this replica's state differs from the
   *     others
   */
  public SubmissionResult execute(RequestOrigin origin, AgreedTime logTime, byte[] command) {
    ClientTable.Row last = clients.find(origin.client()).orElse(null);
    if (last != null && origin.request() <= last.request()) {
      return before(origin.request(), last);
    }
    sequence++;
    byte[] reply = reply(origin, logTime, command);
    clients.executed(origin.client(), new ClientTable.Row(origin.request(), sequence, reply));
    if (sequence % config.digestEvery() == 0) {
      checkpoints.put(sequence, digest());
      if (checkpoints.size() > CHECKPOINTS_KEPT) {
        checkpoints.pollFirstEntry();
      }
    }
    return new SubmissionResult.Done(sequence, reply);
  }

  private byte[] reply(RequestOrigin origin, AgreedTime logTime, byte[] command) {
    ReplicaId from = origin.replica();
    if (from != null && cluster.has(from) && origin.client().equals(ClientId.ofVotes(from))) {
      DigestBallot.decode(command).forEach(vote -> count(from, vote));
      return NOTHING;
    }
    return machine.execute(new OrderedRequest(sequence, origin, logTime, command));
  }

  /**
   * Counts a vote on a past checkpoint. Other votes are ignored, because they would displace valid
   * ones.
   */
  private void count(ReplicaId from, Checkpoint vote) {
    long votedOn = vote.sequence();
    if (votedOn >= sequence || votedOn % config.digestEvery() != 0) {
      return;
    }
    Optional<byte[]> own = digestAt(votedOn);
    switch (votes.vote(from, votedOn, vote.digest(), own)) {
      case OPEN -> {}
      case AGREED -> agreed = Math.max(agreed, votedOn);
      case DIVERGED ->
          throw new ReplicasDivergedException(votedOn, votes.others(votedOn, own.orElseThrow()));
    }
  }

  private static SubmissionResult before(long request, ClientTable.Row last) {
    return request == last.request()
        ? new SubmissionResult.Done(last.sequence(), last.reply())
        : new SubmissionResult.Stale(last.request());
  }

  /** The result of a request that is known to have been executed; empty for any other. */
  public Optional<SubmissionResult> answer(ClientId client, long request) {
    return clients
        .find(client)
        .filter(last -> request <= last.request())
        .map(last -> before(request, last));
  }

  /** The number of the last executed request of a client; 0 for none. */
  public long lastRequest(ClientId client) {
    return clients.find(client).map(ClientTable.Row::request).orElse(0L);
  }

  /** Number of executed requests. */
  public long sequence() {
    return sequence;
  }

  /** SHA-256 over sequence, clients and the machine's state. */
  public byte[] digest() {
    MessageDigest digest = HashFunction.sha256();
    digest.update(frame(new byte[0]));
    return digest.digest(machine.digest());
  }

  /** The kept checkpoints after a sequence, in order. */
  public List<Checkpoint> checkpoints(long after) {
    return checkpoints.tailMap(after, false).entrySet().stream()
        .map(each -> new Checkpoint(each.getKey(), each.getValue().clone()))
        .toList();
  }

  /**
   * The last sequence at which one more replica than may fail is known to have had this replica's
   * state; 0 for none. Local, and no part of the replicated state.
   */
  public long agreed() {
    return agreed;
  }

  /**
   * What the votes say of each replica, in the order of their numbers. Local, and no part of the
   * replicated state.
   */
  public List<PeerVotes> votes() {
    return votes.byReplica(this::digestAt);
  }

  /** The digest at a sequence; empty when it is not kept. */
  public Optional<byte[]> digestAt(long sequence) {
    return Optional.ofNullable(checkpoints.get(sequence)).map(byte[]::clone);
  }

  /** The whole state between two requests. */
  public byte[] snapshot() {
    return frame(machine.snapshot());
  }

  private byte[] frame(byte[] state) {
    int size = Math.addExact(Long.BYTES + clients.encodedBytes(), state.length);
    ByteBuffer to = ByteBuffer.allocate(size).putLong(sequence);
    clients.encode(to);
    return to.put(state).array();
  }

  /** Replaces the whole state. */
  public void restore(byte[] snapshot) {
    ByteBuffer from = ByteBuffer.wrap(snapshot);
    sequence = from.getLong();
    clients.decode(from);
    checkpoints.clear();
    machine.restore(Arrays.copyOfRange(snapshot, from.position(), snapshot.length));
  }
}
