package io.kairos.client.net;

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
import java.util.function.UnaryOperator;

/**
 * A connection to each node, made when it is first needed. Its own answers to which one: {@link
 * Nodes}. Thread-safe.
 */
public final class Channels implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * A task is given out however large its payload is; answers with several are bounded by the
   * asking.
   */
  private static final int LARGEST_ANSWER_BYTES = 64 << 20;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Nodes nodes;

  /**
   * Connects to nobody yet.
   *
   * @param options further settings of each channel, such as where answers are handled
   */
  public Channels(Reach reach, UnaryOperator<ManagedChannelBuilder<?>> options) {
    for (String address : reach.addresses()) {
      ManagedChannelBuilder<?> builder =
          reach.transport().apply(address).maxInboundMessageSize(LARGEST_ANSWER_BYTES);
      if (!reach.token().isEmpty()) {
        builder.intercept(bearer(reach.token()));
      }
      channels.add(options.apply(builder).build());
    }
    nodes = new Nodes(channels.size());
  }

  public Nodes nodes() {
    return nodes;
  }

  /** The channel to a node. One that failed last tries to connect at once, not when gRPC would. */
  public Channel to(int node) {
    ManagedChannel channel = channels.get(node);
    if (nodes.isFailing(node)) {
      channel.resetConnectBackoff();
    }
    return channel;
  }

  /** Ends every call under way. Does not wait. */
  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  private static ClientInterceptor bearer(String token) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
          @Override
          public void start(Listener<A> listener, Metadata headers) {
            headers.put(AUTHORIZATION, "Bearer " + token);
            super.start(listener, headers);
          }
        };
      }
    };
  }
}
