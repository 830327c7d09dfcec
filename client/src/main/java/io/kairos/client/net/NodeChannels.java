package io.kairos.client.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC channel to each node, which connects when it is first used. {@link NodeTurns} decides
 * which node is called. Thread-safe.
 */
public final class NodeChannels implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * Maximum size of an answer: a single task may be as large as its payload, and answers with more
   * tasks are bounded by the request.
   */
  private static final int LARGEST_ANSWER_BYTES = 64 << 20;

  private final List<Supplier<ManagedChannelBuilder<?>>> builders;
  private final @Nullable Supplier<String> token;
  private volatile List<ManagedChannel> channels;

  /** Channels that were replaced last, on which a call that has just got its channel may begin. */
  @GuardedBy("this")
  private List<ManagedChannel> replaced = List.of();

  @GuardedBy("this")
  private boolean closed;

  private final NodeTurns nodes;
  private final @Nullable ClientTls tls;

  /**
   * Creates the channels without connecting.
   *
   * @param builders make builders, anew when files of TLS have changed
   * @param token gives the API token, asked at each call, empty for none; null for never any
   * @param tls closed with the channels; null for none
   */
  NodeChannels(
      List<Supplier<ManagedChannelBuilder<?>>> builders,
      @Nullable Supplier<String> token,
      @Nullable ClientTls tls) {
    this.builders = List.copyOf(builders);
    this.token = token;
    this.tls = tls;
    channels = newChannels();
    nodes = new NodeTurns(channels.size());
    if (tls != null) {
      tls.whenReplaced(this::connectAnew);
    }
  }

  private List<ManagedChannel> newChannels() {
    List<ManagedChannel> made = new ArrayList<>();
    for (Supplier<ManagedChannelBuilder<?>> each : builders) {
      ManagedChannelBuilder<?> builder = each.get();
      if (token != null) {
        builder.intercept(bearer(token));
      }
      made.add(builder.maxInboundMessageSize(LARGEST_ANSWER_BYTES).build());
    }
    return List.copyOf(made);
  }

  /**
   * Has later calls use new channels: a new connection of an old channel would resume its session
   * of TLS, and so show the former certificate. Calls under way go on, as an idle channel closes
   * its connection when the last of them has ended.
   */
  private synchronized void connectAnew() {
    if (closed) {
      return;
    }
    replaced.forEach(ManagedChannel::shutdown);
    replaced = channels;
    channels = newChannels();
    replaced.forEach(ManagedChannel::enterIdle);
  }

  /** Returns the addresses of all nodes, for messages. */
  public String addresses() {
    return channels.stream().map(ManagedChannel::authority).collect(Collectors.joining(", "));
  }

  /** Returns the addresses of these nodes, for messages. */
  public String addresses(Set<Integer> of) {
    return of.stream()
        .sorted()
        .map(node -> channels.get(node).authority())
        .collect(Collectors.joining(", "));
  }

  public NodeTurns nodes() {
    return nodes;
  }

  /**
   * Returns the channel to a node. When the last call to the node failed, the channel connects at
   * once instead of after gRPC's backoff.
   */
  public Channel to(int node) {
    ManagedChannel channel = channels.get(node);
    if (nodes.isFailing(node)) {
      channel.resetConnectBackoff();
    }
    return channel;
  }

  /** Cancels all calls under way, without waiting. */
  @Override
  public synchronized void close() {
    closed = true;
    replaced.forEach(ManagedChannel::shutdownNow);
    channels.forEach(ManagedChannel::shutdownNow);
    if (tls != null) {
      tls.close();
    }
  }

  private static ClientInterceptor bearer(Supplier<String> token) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
          @Override
          public void start(Listener<A> listener, Metadata headers) {
            String present = token.get();
            if (!present.isEmpty()) {
              headers.put(AUTHORIZATION, "Bearer " + present);
            }
            super.start(listener, headers);
          }
        };
      }
    };
  }
}
