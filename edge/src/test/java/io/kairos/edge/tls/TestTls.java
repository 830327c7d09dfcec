package io.kairos.edge.tls;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.edge.access.HttpConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Lets the tests of an edge run over TLS too: with the system property {@code kairos.edge.tls}
 * their edges have a certificate, and their clients trust it.
 */
public final class TestTls {
  /** True when the tests of this JVM run over TLS. */
  public static final boolean ON = Boolean.getBoolean("kairos.edge.tls");

  public static final String HTTP_1 = "http/1.1";
  public static final String HTTP_2 = "h2";

  static final TestCertificate CA = TestCertificate.authority("test CA");

  private static final char[] NO_PASSWORD = {};

  private TestTls() {}

  /** A certificate for this machine. */
  static TestCertificate ofServer() {
    return CA.sign("server", "dns:localhost", "ip:127.0.0.1");
  }

  /** The settings, over TLS if the tests run so. */
  public static HttpConfig overTls(HttpConfig plain) {
    if (!ON) {
      return plain;
    }
    TestCertificate made = ofServer();
    Path folder = newFolder();
    return plain.with(
        TlsConfig.of(
            made.writeCertificate(folder.resolve("tls.crt")),
            made.writeKey(folder.resolve("tls.key"))));
  }

  private static Path newFolder() {
    try {
      Path folder = Files.createTempDirectory("kairos-tls");
      folder.toFile().deleteOnExit();
      folder.resolve("tls.crt").toFile().deleteOnExit();
      folder.resolve("tls.key").toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Trusts the certificates of these edges, and shows a client's if there is one. */
  public static SSLContext trusting(Optional<TestCertificate> client) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(client.map(TestTls::keys).orElse(null), authorities(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static TrustManager[] authorities() {
    try {
      KeyStore store = emptyStore();
      store.setCertificateEntry("ca", CA.certificate());
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static KeyManager[] keys(TestCertificate client) {
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry(
          "client", client.key(), NO_PASSWORD, new Certificate[] {client.certificate()});
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory.getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Credentials of gRPC that fit the settings. */
  public static ChannelCredentials credentials() {
    return ON
        ? TlsChannelCredentials.newBuilder().trustManager(authorities()).build()
        : InsecureChannelCredentials.create();
  }

  public static String scheme() {
    return ON ? "https" : "http";
  }

  /** A connection on which HTTP of this version can be written by hand. */
  public static Socket over(Socket connected, String protocol) throws IOException {
    return ON ? handshake(trusting(Optional.empty()), connected, protocol) : connected;
  }

  /** Completes a handshake on a connection. */
  static SSLSocket handshake(SSLContext context, Socket connected, String... protocols)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(connected, "127.0.0.1", connected.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }
}
