package io.kairos.api.tls;

import static java.util.Objects.requireNonNull;

import io.kairos.api.file.FileWatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the files of TLS have changed, and replaces key pair and trusted certificates
 * together when the new ones are good; else the old ones stay. Somebody may be writing the files
 * one after the other: they are used or reported when they are still the same at the next look. One
 * thread at a time opens and looks; any thread may ask for what is in use.
 */
public final class TlsWatch {
  /** The time between two looks. */
  public static final Duration LOOKS_EVERY = FileWatch.LOOKS_EVERY;

  private final FileWatch<TlsMaterial> watch;
  private volatile @Nullable TlsMaterial inUse;

  /** Called by the thread that looks. */
  public interface Listener {
    /**
     * Changed files are in use for new connections. After an exception other than that of a refusal
     * the next look calls again.
     *
     * @throws IllegalArgumentException to refuse them after all
     */
    void replaced(TlsMaterial by);

    /** Changed files cannot be used, and the old ones stay in use; once for each change. */
    void refused(IllegalArgumentException why);
  }

  /** A watch that has read nothing yet. */
  public TlsWatch(CertificateFiles files, InstantSource clock, Listener listener) {
    this.watch =
        new FileWatch<>(
            new FileWatch.FileUser<>() {
              @Override
              public List<FileWatch.NamedFile> files() {
                return files.files();
              }

              @Override
              public TlsMaterial parse(List<ByteBuffer> contents) {
                return files.material(contents, clock.instant());
              }

              @Override
              public void replaced(TlsMaterial by) {
                TlsMaterial before = inUse;
                inUse = by; // the listener may ask
                try {
                  listener.replaced(by);
                } catch (RuntimeException e) {
                  inUse = before;
                  throw e;
                }
              }

              @Override
              public void refused(IllegalArgumentException why) {
                listener.refused(why);
              }
            });
  }

  /**
   * Reads the files for the first time, and tells no listener. After a refusal looks go on.
   *
   * @throws UnusableTlsException when a file cannot be used
   */
  public TlsMaterial open() {
    try {
      TlsMaterial first = watch.open();
      inUse = first;
      return first;
    } catch (IllegalArgumentException e) {
      throw UnusableTlsException.of(e);
    }
  }

  /** The material of new connections, once there has been any. */
  public TlsMaterial inUse() {
    return requireNonNull(inUse, "the files of TLS have not been opened");
  }

  /** Looks once. */
  public void look() {
    watch.look();
  }
}
