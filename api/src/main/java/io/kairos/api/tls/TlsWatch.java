package io.kairos.api.tls;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the files of TLS have changed, and replaces key pair and trusted certificates
 * together when the new ones are good; else the old ones stay. Bad files are reported once, when
 * they are still the same at the next look: until then somebody may be writing them one after the
 * other. One thread at a time looks; any thread may ask for what is in use.
 */
public final class TlsWatch {
  /** The time between two looks. */
  public static final Duration LOOKS_EVERY = Duration.ofSeconds(5);

  private final CertificateFiles files;
  private final InstantSource clock;
  private final Listener listener;
  private volatile TlsMaterial inUse;
  private List<ByteBuffer> used;

  /** Contents of the files, or why they could not be read. */
  private @Nullable Object suspected;

  private @Nullable Object reported;

  /** Called by the thread that looks. After an exception the next look calls again. */
  public interface Listener {
    /** Changed files are in use for new connections. */
    void replaced(TlsMaterial by);

    /** Changed files cannot be used, and the old ones stay in use; once for each change. */
    void refused(UnusableTlsException why);
  }

  /**
   * Reads the files.
   *
   * @throws UnusableTlsException when a file cannot be used
   */
  public TlsWatch(CertificateFiles files, InstantSource clock, Listener listener) {
    this.files = files;
    this.clock = clock;
    this.listener = listener;
    used = files.contents();
    inUse = files.material(used, clock.instant());
  }

  /** What new connections use. */
  public TlsMaterial inUse() {
    return inUse;
  }

  /** Looks once. */
  public void look() {
    List<ByteBuffer> contents;
    try {
      contents = files.contents();
    } catch (UnusableTlsException e) {
      refuse(String.valueOf(e.getMessage()), e);
      return;
    }
    if (contents.equals(used)) {
      suspected = null;
      return;
    }
    TlsMaterial changed;
    try {
      changed = files.material(contents, clock.instant());
    } catch (UnusableTlsException e) {
      refuse(contents, e);
      return;
    }
    listener.replaced(changed); // first: when it throws, the next look finds the change again
    inUse = changed;
    used = contents;
    suspected = null;
    reported = null;
  }

  private void refuse(Object found, UnusableTlsException why) {
    if (found.equals(suspected) && !found.equals(reported)) {
      listener.refused(why);
      reported = found;
    }
    suspected = found;
  }
}
