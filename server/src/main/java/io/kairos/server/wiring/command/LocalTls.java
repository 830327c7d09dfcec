package io.kairos.server.wiring.command;

import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.edge.tls.TlsConfig;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS to the process on this machine that has the same settings. Its certificate is not checked, as
 * Kubernetes does not check it either: nothing secret is sent, the name in it is not this machine's
 * loopback address, and a process whose certificate has expired is not to be restarted for that.
 * Shows the process's own certificate where clients need one.
 */
final class LocalTls {
  private static final char[] NO_PASSWORD = {};

  private LocalTls() {}

  static SSLSocketFactory of(TlsConfig config) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          own(config).map(LocalTls::keys).orElse(null), new TrustManager[] {new AnyOne()}, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JVM has no TLS", e);
    }
  }

  private static Optional<TlsMaterial.Pair> own(TlsConfig config) {
    try {
      return config.files().read(InstantSource.system().instant()).own();
    } catch (UnusableTlsException _) { // the process may still use older ones
      return Optional.empty();
    }
  }

  private static KeyManager[] keys(TlsMaterial.Pair pair) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("own", pair.key(), NO_PASSWORD, pair.chain().toArray(new Certificate[0]));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory.getKeyManagers();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("a key pair cannot be kept in memory", e);
    }
  }

  private static final class AnyOne extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
