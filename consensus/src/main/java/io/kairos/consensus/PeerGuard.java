package io.kairos.consensus;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.CertificateHost;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.SnapshotChunkProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCall.Listener;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks what comes to the port of the log before Ratis sees it. With TLS, each request must be of
 * the replica whose host the sender's certificate has. A snapshot's files must be named like
 * snapshots. Orders to change the cluster are refused. Called on the threads of connections.
 */
final class PeerGuard implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(PeerGuard.class);

  /** The name of a snapshot below the directory of the log, as a leader sends it. */
  private static final Pattern FILE = Pattern.compile("sm/snapshot\\.[0-9]{1,19}_[0-9]{1,19}");

  /** A UUID, which Ratis makes part of the name of a folder. */
  private static final Pattern SENDING = Pattern.compile("[0-9a-f-]{36}");

  /** Bound on the refusals that are remembered, so that each is logged once. */
  private static final int MOST_LOGGED = 100;

  private final RatisConfig config;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  PeerGuard(RatisConfig config) {
    this.config = config;
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (AdminProtocolServiceGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())) {
      refuse(call, "a cluster is not changed by orders to its port");
      return new Listener<>() {};
    }
    @Nullable SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      private boolean isRefused;

      @Override
      public void onMessage(Q message) {
        Optional<String> why = isRefused ? Optional.empty() : refusal(message, session);
        if (why.isPresent()) {
          isRefused = true;
          refuse(call, why.get());
        }
        if (!isRefused) {
          super.onMessage(message);
        }
      }

      @Override
      public void onHalfClose() {
        if (!isRefused) {
          super.onHalfClose();
        }
      }
    };
  }

  private void refuse(ServerCall<?, ?> call, String why) {
    if (logged.size() < MOST_LOGGED && logged.add(why)) {
      LOG.atWarn().addKeyValue("why", why).log("what came to the port of the log was refused");
    }
    call.close(Status.PERMISSION_DENIED.withDescription(why), new Metadata());
  }

  private Optional<String> refusal(Object message, @Nullable SSLSession session) {
    if (message instanceof InstallSnapshotRequestProto request
        && request.hasSnapshotChunk()
        && !isNamedLikeASnapshot(request.getSnapshotChunk())) {
      return Optional.of("a snapshot has files that are not named like snapshots");
    }
    if (config.tls().isEmpty()) {
      return Optional.empty();
    }
    ReplicaId sender = sender(message).orElse(null);
    if (sender == null) {
      return Optional.of("a request says of no replica of this cluster that it is from it");
    }
    ReplicaAddress place = config.replicas().get(sender.number());
    return session != null && isFor(place.host(), session)
        ? Optional.empty()
        : Optional.of(
            "the certificate that came with a request of %s is not its own: it must have %s, from replica.peers, as a DNS name or IP address"
                .formatted(sender, place.host()));
  }

  private static boolean isNamedLikeASnapshot(SnapshotChunkProto chunk) {
    return SENDING.matcher(chunk.getRequestId()).matches()
        && chunk.getFileChunksList().stream()
            .allMatch(file -> FILE.matcher(file.getFilename()).matches());
  }

  private Optional<ReplicaId> sender(Object message) {
    return switch (message) {
      case AppendEntriesRequestProto request -> peer(request.getServerRequest());
      case RequestVoteRequestProto request -> peer(request.getServerRequest());
      case InstallSnapshotRequestProto request -> peer(request.getServerRequest());
      case StartLeaderElectionRequestProto request -> peer(request.getServerRequest());
      case ReadIndexRequestProto request -> peer(request.getServerRequest());
      case RaftClientRequestProto request ->
          RequestEnvelope.decode(request.getMessage().getContent().asReadOnlyByteBuffer())
              .flatMap(envelope -> Optional.ofNullable(envelope.origin().replica()))
              .filter(config.cluster()::has);
      default -> Optional.empty();
    };
  }

  private Optional<ReplicaId> peer(RaftRpcRequestProto request) {
    return config.cluster().replicas().stream()
        .filter(each -> RatisLog.peerId(each).toByteString().equals(request.getRequestorId()))
        .findFirst();
  }

  private static boolean isFor(String host, SSLSession session) {
    try {
      return session.getPeerCertificates()[0] instanceof X509Certificate own
          && CertificateHost.isFor(host, own);
    } catch (SSLPeerUnverifiedException _) {
      return false;
    }
  }
}
