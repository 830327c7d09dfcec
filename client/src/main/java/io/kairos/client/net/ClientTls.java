package io.kairos.client.net;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.CertificateFiles.PemFile;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.TlsWatch;
import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import io.kairos.client.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of the channels of a client, with or without files of its own. A daemon thread looks at the
 * files every two seconds, so that new connections use changed ones; whoever keeps connections for
 * long is told, so that a renewed certificate is shown before a node stops to trust the former one.
 * Thread-safe.
 */
final class ClientTls implements TlsWatch.Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClientTls.class);

  private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager trust = newTrust();
  private final ActionTimer timer;
  private final CertificateFiles files;
  private final TlsWatch watch;
  private volatile Runnable connectAnew = () -> {};

  private ClientTls(CertificateFiles files, ClientTime time) {
    this.files = files;
    this.watch = new TlsWatch(files, time::now, this);
    this.timer = time.timer("kairos-certificates");
    use(watch.open());
  }

  private static AdvancedTlsX509TrustManager newTrust() {
    try {
      return AdvancedTlsX509TrustManager.newBuilder().build();
    } catch (CertificateException e) {
      throw new IllegalStateException("the JVM has no trust manager", e);
    }
  }

  /**
   * Reads the files.
   *
   * @param authorities CA certificates of nodes; null for those of the JVM
   * @param certificate shown to nodes; null for none
   * @param key of the certificate
   * @throws IllegalArgumentException when a file cannot be used, with what to do
   */
  static ClientTls of(@Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {
    return of(authorities, certificate, key, new SystemTime());
  }

  static ClientTls of(
      @Nullable Path authorities, @Nullable Path certificate, @Nullable Path key, ClientTime time) {
    Optional<CertificateFiles.Own> own =
        certificate == null || key == null
            ? Optional.empty()
            : Optional.of(
                new CertificateFiles.Own(
                    new PemFile("client certificate", certificate), new PemFile("its key", key)));
    Optional<PemFile> trusted =
        Optional.ofNullable(authorities).map(file -> new PemFile("trusted certificates", file));
    ClientTls made = new ClientTls(new CertificateFiles(own, trusted), time);
    if (own.isPresent() || trusted.isPresent()) {
      made.lookLater();
    }
    return made;
  }

  ChannelCredentials credentials() {
    TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
    if (files.own().isPresent()) {
      credentials.keyManager(keys);
    }
    if (files.trusted().isPresent()) {
      credentials.trustManager(trust);
    }
    return credentials.build();
  }

  /** Sets what is called, by the thread that looks, when new connections use changed files. */
  void whenReplaced(Runnable then) {
    connectAnew = then;
  }

  private void lookLater() {
    timer.after(
        TlsWatch.LOOKS_EVERY,
        () -> {
          try {
            look();
          } catch (RuntimeException e) {
            LOG.atWarn()
                .setCause(e)
                .log("the files of TLS could not be looked at; they are looked at again");
          } finally {
            lookLater();
          }
        });
  }

  /** Looks once whether the files have changed. */
  void look() {
    watch.look();
  }

  private void use(TlsMaterial material) {
    material
        .own()
        .ifPresent(pair ->
            keys.updateIdentityCredentials(
                pair.chain().toArray(new X509Certificate[0]), pair.key()));
    if (!material.trusted().isEmpty()) {
      try {
        trust.updateTrustCredentials(material.trusted().toArray(new X509Certificate[0]));
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalStateException("the JVM has no trust manager", e);
      }
    }
  }

  @Override
  public void replaced(TlsMaterial by) {
    use(by);
    connectAnew.run();
    LOG.atInfo()
        .addKeyValue("expires", by.expiry().map(Object::toString).orElse("never"))
        .log("later calls go over new connections to nodes, which use the changed files of TLS");
  }

  @Override
  public void refused(IllegalArgumentException why) {
    LOG.atWarn()
        .addKeyValue("why", why.getMessage())
        .log("changed files of TLS cannot be used; the old ones stay in use");
  }

  @Override
  public void close() {
    timer.close();
  }
}
