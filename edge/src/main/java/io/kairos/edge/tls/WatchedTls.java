package io.kairos.edge.tls;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import io.kairos.api.tls.CertificateFiles;
import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.TlsWatch;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives Armeria the key pair and the trusted certificates of new connections, on its event loops. A
 * step of one thread looks at the files every two seconds, so that changed ones are used without a
 * restart; what becomes of open connections is {@link ClientTrust}'s.
 */
public final class WatchedTls implements TlsProvider, Step {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedTls.class);

  private final String name;
  private final TlsWatch watch;
  private volatile InUse inUse;

  /** Made once for each change, because contexts of TLS are cached by it. */
  private record InUse(@Nullable TlsKeyPair own, @Nullable List<X509Certificate> trusted) {
    static InUse of(TlsMaterial read) {
      return new InUse(
          read.own().map(pair -> TlsKeyPair.of(pair.key(), pair.chain())).orElse(null),
          read.trusted().isEmpty() ? null : read.trusted());
    }
  }

  /**
   * Reads the files.
   *
   * @param name of the step
   * @param onRefusal called when changed files are refused, once for each change
   * @throws UnusableTlsException when a file cannot be used
   */
  public WatchedTls(String name, CertificateFiles files, InstantSource clock, Runnable onRefusal) {
    this.name = name;
    this.watch =
        new TlsWatch(
            files,
            clock,
            new TlsWatch.Listener() {
              @Override
              public void replaced(TlsMaterial by) {
                inUse = InUse.of(by);
                LOG.atInfo()
                    .addKeyValue("files", files)
                    .addKeyValue("expires", by.expiry().map(Object::toString).orElse("never"))
                    .log("new connections use the changed files of TLS");
              }

              @Override
              public void refused(IllegalArgumentException why) {
                onRefusal.run();
                LOG.atWarn()
                    .addKeyValue("why", why.getMessage())
                    .log("changed files of TLS cannot be used; the old ones stay in use");
              }
            });
    this.inUse = InUse.of(watch.open());
  }

  /** The key pair and trusted certificates of new connections. */
  public TlsMaterial inUse() {
    return watch.inUse();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public NextRound runOnce() {
    watch.look();
    return NextRound.after(TlsWatch.LOOKS_EVERY);
  }

  @Override
  public @Nullable TlsKeyPair keyPair(String hostname) {
    return inUse.own();
  }

  @Override
  public @Nullable List<X509Certificate> trustedCertificates(String hostname) {
    return inUse.trusted();
  }
}
