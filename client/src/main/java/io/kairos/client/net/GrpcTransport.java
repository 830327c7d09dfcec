package io.kairos.client.net;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes channels; apart from the settings, which are used without gRPC, too.
 *
 * @param factory makes a channel to an address with the given TLS or none
 * @param hasOwnTls true for a factory that has its own idea of TLS
 */
record GrpcTransport(
    BiFunction<String, ChannelCredentials, ManagedChannelBuilder<?>> factory, boolean hasOwnTls) {
  static GrpcTransport ofItsOwn(Function<String, ManagedChannelBuilder<?>> factory) {
    return new GrpcTransport((address, unused) -> factory.apply(address), true);
  }

  /**
   * @param transport null for that of gRPC
   */
  static NodeChannels channels(
      List<String> addresses,
      @Nullable Supplier<String> token,
      @Nullable ClientTls tls,
      @Nullable GrpcTransport transport,
      UnaryOperator<ManagedChannelBuilder<?>> options) {
    Supplier<ChannelCredentials> credentials =
        tls == null ? InsecureChannelCredentials::create : tls::credentials;
    BiFunction<String, ChannelCredentials, ManagedChannelBuilder<?>> present =
        transport == null ? Grpc::newChannelBuilder : transport.factory;
    return new NodeChannels(
        addresses.stream()
            .<Supplier<ManagedChannelBuilder<?>>>map(
                address -> () -> options.apply(present.apply(address, credentials.get())))
            .toList(),
        token,
        tls);
  }
}
