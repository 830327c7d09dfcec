package io.kairos.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.api.file.FileWatch;
import io.kairos.engine.pool.secret.SecretKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys by which secrets of pools are encrypted, from a file. {@link #look} is called by one
 * thread at a time; {@link #get} is thread-safe.
 */
public final class EncryptionKeyFile implements Supplier<SecretKeys> {
  private static final Logger LOG = LoggerFactory.getLogger(EncryptionKeyFile.class);

  private final Path file;
  private final FileWatch<SecretKeys> watch = new FileWatch<>(new KeyUser());
  private volatile SecretKeys keys;

  /**
   * Reads the file, and warns when everybody on this machine can read it too.
   *
   * @throws IllegalArgumentException that names the setting, the line and what to do
   */
  public EncryptionKeyFile(Path file) {
    this.file = file;
    this.keys = watch.open();
    if (isReadableByOthers()) {
      LOG.atWarn()
          .addKeyValue("setting", SecretKeys.SETTING)
          .addKeyValue("file", file)
          .log("everybody on this machine can read the encryption keys: chmod o-rwx the file");
    }
  }

  @Override
  public SecretKeys get() {
    return keys;
  }

  /**
   * Looks at the file; while it is unusable the former keys stay, and the reason is logged once for
   * each change.
   *
   * @return true when the keys have changed
   */
  boolean look() {
    return watch.look();
  }

  private final class KeyUser implements FileWatch.FileUser<SecretKeys> {
    @Override
    public List<FileWatch.NamedFile> files() {
      return List.of(new FileWatch.NamedFile(SecretKeys.SETTING, file));
    }

    @Override
    public SecretKeys parse(List<ByteBuffer> contents) {
      try {
        return SecretKeys.parse(new String(contents.getFirst().array(), UTF_8).lines().toList());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s: the file %s cannot be used: %s"
                .formatted(SecretKeys.SETTING, file, e.getMessage()),
            e);
      }
    }

    @Override
    public void replaced(SecretKeys by) {
      keys = by;
      LOG.atInfo().addKeyValue("keys", by).log("the encryption keys of pools were read again");
    }

    @Override
    public void refused(IllegalArgumentException why) {
      LOG.atWarn()
          .addKeyValue("why", why.getMessage())
          .log("the encryption keys of pools cannot be used; the former ones stay in use");
    }
  }

  private boolean isReadableByOthers() {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException _) {
      return false; // such as on a file system without permissions
    }
  }
}
