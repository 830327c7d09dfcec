package io.kairos.client.net;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.time.SystemTime;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings that clients and workers have in common: addresses, token, TLS and transport. Not
 * thread-safe.
 *
 * @param <B> class of the builder itself
 */
public abstract class ConnectionBuilder<B extends ConnectionBuilder<B>> {
  private static final String HTTPS = "https://";
  private static final String HTTP = "http://";

  private final List<String> addresses;
  private @Nullable Supplier<String> token;
  private MessageEncryption encryption = MessageEncryption.NONE;
  private final boolean isHttps;
  private @Nullable Path authorities;
  private @Nullable Path certificate;
  private @Nullable Path key;

  /** Null for that of gRPC. */
  private @Nullable GrpcTransport transport;

  /** The node of this process; null for nodes at addresses. */
  private final @Nullable LocalNode local;

  /**
   * @param addresses {@code host:port} of one or more nodes, or {@code https://host:port} for TLS;
   *     all nodes are equal
   */
  protected ConnectionBuilder(String... addresses) {
    if (addresses.length == 0) {
      throw new IllegalArgumentException("addresses must name at least one node as host:port");
    }
    isHttps = addresses[0].startsWith(HTTPS);
    if (!List.of(addresses).stream().allMatch(each -> each.startsWith(HTTPS) == isHttps)) {
      throw new IllegalArgumentException(
          "addresses must all begin with https:// or none, or the token is sent without TLS too");
    }
    this.addresses = List.of(addresses).stream().map(ConnectionBuilder::place).toList();
    this.local = null;
  }

  /** The settings of calls to a node of this process, without connections. */
  protected ConnectionBuilder(LocalNode node) {
    isHttps = false;
    addresses = List.of();
    local = node;
  }

  /** The node of this process; null for nodes at addresses. */
  public final @Nullable LocalNode local() {
    return local;
  }

  /** Host and port of an address. */
  private static String place(String address) {
    for (String scheme : List.of(HTTPS, HTTP)) {
      if (address.startsWith(scheme)) {
        String rest = address.substring(scheme.length());
        return rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
      }
    }
    return address;
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
   * read last is sent while the file is missing or empty. A pipe is read once.
   *
   * @throws java.io.UncheckedIOException when the file cannot be read now
   */
  public B tokenFile(Path file) {
    return token(new TokenFile(file, new SystemTime()::nanos));
  }

  /**
   * Encrypts payloads, results and error texts before they are sent, and decrypts them when they
   * are read; without it they are sent as they are. Calls that read one task or one schedule throw
   * {@link PayloadDecryptionException} for what cannot be decrypted; lists and answers of calls
   * that change something keep it as it is stored.
   */
  public B encryption(EncryptedPayloads payloads) {
    encryption = MessageEncryption.of(payloads);
    return self();
  }

  /** The encryption of messages. */
  public final MessageEncryption encryption() {
    return encryption;
  }

  /**
   * Sets the CA certificates of nodes, for addresses that begin with {@code https://}; those of the
   * JVM by default. Calls use the file within five seconds of its change, over new connections.
   *
   * @param pemFile one or more certificates in PEM
   */
  public B trustedCertificates(Path pemFile) {
    authorities = pemFile;
    return self();
  }

  /**
   * Sets the certificate that is shown to nodes, for addresses that begin with {@code https://};
   * none by default. Calls use both files within five seconds of their change, over new
   * connections; those under way go on over the old ones.
   *
   * @param certificateFile the certificate in PEM, followed by those between it and its CA
   * @param keyFile its key in PEM, RSA or EC, in PKCS 8 without a password
   */
  public B clientCertificate(Path certificateFile, Path keyFile) {
    certificate = certificateFile;
    key = keyFile;
    return self();
  }

  /**
   * Sets the factory of channels to addresses, such as in-process ones. It decides about TLS by
   * itself.
   */
  public B transport(Function<String, ManagedChannelBuilder<?>> newTransport) {
    transport = GrpcTransport.ofItsOwn(newTransport);
    return self();
  }

  /** Sets the factory of channels to addresses with the given TLS or none; by default gRPC's. */
  public B transport(
      BiFunction<String, ChannelCredentials, ManagedChannelBuilder<?>> newTransport) {
    transport = new GrpcTransport(newTransport, false);
    return self();
  }

  /**
   * Creates channels to all addresses without connecting.
   *
   * @param options further settings of each channel, such as the executor of answers
   * @throws IllegalArgumentException when TLS is not possible as it is asked for
   */
  public final NodeChannels channels(UnaryOperator<ManagedChannelBuilder<?>> options) {
    ClientTls tls = tls();
    return GrpcTransport.channels(addresses, token, tls, transport, options);
  }

  private @Nullable ClientTls tls() {
    boolean ownTransport = transport != null && transport.hasOwnTls();
    boolean hasFiles = authorities != null || certificate != null;
    if (hasFiles && (ownTransport || !isHttps)) {
      throw new IllegalArgumentException(
          ownTransport
              ? "certificates are set, and a transport that does not use them: set one of them"
              : "certificates are set, and the addresses do not begin with https://: begin them so");
    }
    return isHttps && !ownTransport ? ClientTls.of(authorities, certificate, key) : null;
  }

  @SuppressWarnings("unchecked") // B is the class of this object
  private B self() {
    return (B) this;
  }
}
