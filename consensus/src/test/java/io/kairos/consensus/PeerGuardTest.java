package io.kairos.consensus;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.embedded.LoopbackPort;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.ClientMessageEntryProto;
import org.apache.ratis.proto.RaftProtos.FileChunkProto;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.SnapshotChunkProto;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.util.MD5FileUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What may be sent to the port of replica 0, whose peers are away. */
@Timeout(60)
class PeerGuardTest {
  private static final ReplicaId SELF = new ReplicaId(0);
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final String SENDING = UUID.randomUUID().toString();

  @TempDir private Path directory;
  private final List<ManagedChannel> channels = new ArrayList<>();

  private final List<ReplicaAddress> places =
      List.of(
          new ReplicaAddress("127.0.0.1", LoopbackPort.choose()),
          new ReplicaAddress("127.0.0.2", 7_172),
          new ReplicaAddress("cron-2.example.com", 7_172));

  @AfterEach
  void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private RatisConfig config(Optional<TlsFiles> tls) {
    return new RatisConfig(
        "guarded",
        SELF,
        places,
        directory.resolve("replica"),
        tls,
        OrderedExecution.Config.DEFAULT,
        RatisReplicas.LIMITS);
  }

  private RatisLog open(RatisConfig config) {
    return RatisLog.open(config, new RecordingMachine(), _ -> {});
  }

  private ManagedChannel channel(Optional<TlsFiles> tls) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(places.getFirst().host(), places.getFirst().port());
    tls.ifPresentOrElse(
        files ->
            builder.sslContext(
                GrpcUtil.buildSslContextForClient(
                    new GrpcTlsConfig(
                        files.key().toFile(),
                        files.chain().toFile(),
                        files.trusted().toFile(),
                        true))),
        builder::usePlaintext);
    ManagedChannel channel = builder.build();
    channels.add(channel);
    return channel;
  }

  private RaftRpcRequestProto from(ReplicaId sender) {
    return RaftRpcRequestProto.newBuilder()
        .setRequestorId(RatisLog.peerId(sender).toByteString())
        .setReplyId(RatisLog.peerId(SELF).toByteString())
        .setRaftGroupId(
            RaftGroupIdProto.newBuilder()
                .setId(RatisLog.group(config(Optional.empty())).getGroupId().toByteString()))
        .build();
  }

  private Status vote(ManagedChannel channel, ReplicaId candidate) {
    return status(() ->
        RaftServerProtocolServiceGrpc.newBlockingStub(channel)
            .requestVote(
                RequestVoteRequestProto.newBuilder()
                    .setServerRequest(from(candidate))
                    .setCandidateTerm(7)
                    .setPreVote(true)
                    .build()));
  }

  private static Status status(Runnable call) {
    StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call::run);
    return refused == null ? Status.OK : refused.getStatus();
  }

  /** Collects the end of a stream. */
  private static final class Ending<A> implements StreamObserver<A> {
    private final CompletableFuture<Status> status = new CompletableFuture<>();

    @Override
    public void onNext(A answer) {}

    @Override
    public void onError(Throwable why) {
      status.complete(Status.fromThrowable(why));
    }

    @Override
    public void onCompleted() {
      status.complete(Status.OK);
    }
  }

  private Status forwarded(ManagedChannel channel, ReplicaId sender) {
    Ending<RaftClientReplyProto> ending = new Ending<>();
    StreamObserver<RaftClientRequestProto> sending =
        RaftClientProtocolServiceGrpc.newStub(channel).unordered(ending);
    sending.onNext(
        RaftClientRequestProto.newBuilder()
            .setRpcRequest(from(sender))
            .setMessage(
                ClientMessageEntryProto.newBuilder()
                    .setContent(
                        ByteString.copyFrom(
                            RequestEnvelope.encode(sender, new ClientId(1), 1, new byte[] {1}))))
            .build());
    sending.onCompleted();
    return ending.status.join();
  }

  @Test
  void with_tls_a_replica_speaks_for_itself_only() {
    List<TlsFiles> all =
        Certificates.trustingEachOther(
            directory,
            List.of(
                Certificates.selfSigned(directory, "zero", "ip:127.0.0.1"),
                Certificates.selfSigned(directory, "one", "ip:127.0.0.2"),
                Certificates.selfSigned(directory, "two", "dns:cron-2.example.com"),
                Certificates.selfSigned(directory, "other", "dns:*.example.com")));
    try (RatisLog _ = open(config(Optional.of(all.getFirst())))) {
      ManagedChannel one = channel(Optional.of(all.get(1)));
      ManagedChannel two = channel(Optional.of(all.get(2)));
      ManagedChannel other = channel(Optional.of(all.get(3)));

      assertThat(vote(one, ONE).getCode()).isEqualTo(Status.Code.OK);
      assertThat(vote(two, TWO).getCode()).isEqualTo(Status.Code.OK);
      assertThat(vote(one, TWO).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(vote(one, TWO).getDescription())
          .contains("replica 2")
          .contains("cron-2.example.com");
      assertThat(vote(other, TWO).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(vote(one, new ReplicaId(7)).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(forwarded(one, TWO).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(forwarded(one, ONE).getCode()).isNotEqualTo(Status.Code.PERMISSION_DENIED);
    }
  }

  @Test
  void orders_to_change_the_cluster_are_refused() {
    try (RatisLog _ = open(config(Optional.empty()))) {
      Status refused =
          status(() ->
              AdminProtocolServiceGrpc.newBlockingStub(channel(Optional.empty()))
                  .groupList(GroupListRequestProto.newBuilder().setRpcRequest(from(ONE)).build()));

      assertThat(refused.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    }
  }

  private Status install(ManagedChannel channel, String sendingId, String file) {
    byte[] evil = {1, 2, 3};
    Ending<InstallSnapshotReplyProto> ending = new Ending<>();
    StreamObserver<InstallSnapshotRequestProto> sending =
        RaftServerProtocolServiceGrpc.newStub(channel).installSnapshot(ending);
    sending.onNext(
        InstallSnapshotRequestProto.newBuilder()
            .setServerRequest(from(ONE))
            .setLeaderTerm(7)
            .setSnapshotChunk(
                SnapshotChunkProto.newBuilder()
                    .setRequestId(sendingId)
                    .setTermIndex(TermIndexProto.newBuilder().setTerm(6).setIndex(1_000))
                    .setDone(false)
                    .addFileChunks(
                        FileChunkProto.newBuilder()
                            .setFilename(file)
                            .setTotalSize(evil.length)
                            .setData(ByteString.copyFrom(evil))
                            .setDone(true)
                            .setFileDigest(ByteString.copyFrom(md5(evil).getDigest()))))
            .build());
    sending.onCompleted();
    return ending.status.join();
  }

  private static MD5Hash md5(byte[] bytes) {
    return MD5Hash.newInstance(MD5FileUtil.newMD5().digest(bytes));
  }

  @Test
  void a_snapshot_stays_in_the_folder_of_snapshots_whatever_its_files_are_called()
      throws IOException {
    try (RatisLog _ = open(config(Optional.empty()))) {
      ManagedChannel channel = channel(Optional.empty());
      List<Status> refused =
          Stream.of(
                  "../../../../evil",
                  "sm/../../../../evil",
                  "/evil",
                  "evil",
                  "sm/evil",
                  "sm/snapshot.1_1/evil",
                  "sm/snapshot.1_1\n")
              .map(file -> install(channel, SENDING, file))
              .toList();
      Status elsewhere = install(channel, "x/../../../../../evil", "sm/snapshot.6_1000");

      assertThat(refused)
          .allMatch(status -> status.getCode() == Status.Code.PERMISSION_DENIED)
          .hasSize(7);
      assertThat(elsewhere.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(install(channel, SENDING, "sm/snapshot.6_1000").getCode())
          .isNotEqualTo(Status.Code.PERMISSION_DENIED);
    }
    try (Stream<Path> all = Files.walk(directory)) {
      assertThat(all.filter(file -> requireNonNull(file.getFileName()).toString().contains("evil")))
          .isEmpty();
    }
  }
}
