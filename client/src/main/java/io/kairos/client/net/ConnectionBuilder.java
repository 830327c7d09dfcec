package io.kairos.client.net;

import io.grpc.ManagedChannelBuilder;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.MessageEncryption;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The settings that clients and workers have in common: addresses, token and transport. Not
 * thread-safe.
 *
 * @param <B> class of the builder itself
 */
public abstract class ConnectionBuilder<B extends ConnectionBuilder<B>> {
  private final List<String> addresses;
  private Supplier<String> token = () -> "";
  private MessageEncryption encryption = MessageEncryption.NONE;
  private Function<String, ManagedChannelBuilder<?>> transport =
      address -> ManagedChannelBuilder.forTarget(address).usePlaintext();

  /**
   * @param addresses {@code host:port} of one or more nodes; all nodes are equal
   */
  protected ConnectionBuilder(String... addresses) {
    this.addresses = List.of(addresses);
    if (addresses.length == 0) {
      throw new IllegalArgumentException("addresses must name at least one node as host:port");
    }
  }

  /**
   * Sets the API token, sent as {@code authorization: Bearer …}; that of a worker needs the role
   * worker. Nodes without {@code http.callers} need none.
   */
  public B token(String newToken) {
    return token(() -> newToken);
  }

  /**
   * Sets where the API token comes from, asked at each call on the caller's thread; it must answer
   * at once. For tokens that expire, such as JSON Web Tokens.
   */
  public B token(Supplier<String> newToken) {
    token = newToken;
    return self();
  }

  /**
   * Sets a file with the API token, which is read again some seconds after it has changed. What was
   * read last is sent while the file is missing or empty.
   *
   * @throws java.io.UncheckedIOException when the file cannot be read now
   */
  public B tokenFile(Path file) {
    return token(new TokenFile(file, System::nanoTime));
  }

  /**
   * Encrypts payloads, results and error texts before they are sent, and decrypts them when they
   * are read; without it they are sent as they are.
   */
  public B encryption(EncryptedPayloads payloads) {
    encryption = MessageEncryption.of(payloads);
    return self();
  }

  /** The encryption of messages. */
  public final MessageEncryption encryption() {
    return encryption;
  }

  /** Sets the factory of channels to addresses, for example with TLS; plain text by default. */
  public B transport(Function<String, ManagedChannelBuilder<?>> newTransport) {
    transport = newTransport;
    return self();
  }

  /**
   * Creates channels to all addresses without connecting.
   *
   * @param options further settings of each channel, such as the executor of answers
   */
  public final NodeChannels channels(UnaryOperator<ManagedChannelBuilder<?>> options) {
    return new NodeChannels(
        addresses.stream()
            .<ManagedChannelBuilder<?>>map(address -> options.apply(transport.apply(address)))
            .toList(),
        token);
  }

  @SuppressWarnings("unchecked") // B is the class of this object
  private B self() {
    return (B) this;
  }
}
