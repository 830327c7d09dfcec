package io.kairos.push;

import io.kairos.engine.pool.secret.SecretKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys by which secrets of pools are encrypted, from a file. {@link #reload} is called by one
 * thread at a time; {@link #get} is thread-safe.
 */
public final class EncryptionKeyFile implements Supplier<SecretKeys> {
  private static final Logger LOG = LoggerFactory.getLogger(EncryptionKeyFile.class);

  private final Path file;
  private volatile SecretKeys keys;
  private List<String> seen;
  private String problem = "";

  /**
   * Reads the file, and warns when everybody on this machine can read it too.
   *
   * @throws IllegalArgumentException that names the setting, the line and what to do
   */
  public EncryptionKeyFile(Path file) {
    this.file = file;
    this.seen = lines();
    this.keys = parse(seen);
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
   * Reads the file again; an unusable one is logged once, and the former keys stay.
   *
   * @return true when the keys have changed
   */
  boolean reload() {
    try {
      List<String> now = lines();
      problem = now.equals(seen) ? "" : problem;
      if (now.equals(seen)) {
        return false;
      }
      keys = parse(now);
      seen = now;
      problem = "";
      LOG.atInfo().addKeyValue("keys", keys).log("the encryption keys of pools were read again");
      return true;
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(problem)) {
        problem = why;
        LOG.atWarn()
            .addKeyValue("why", why)
            .log("the encryption keys of pools cannot be used; the former ones stay in use");
      }
      return false;
    }
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s (%s) cannot be read: %s".formatted(SecretKeys.SETTING, file, e), e);
    }
  }

  private SecretKeys parse(List<String> lines) {
    try {
      return SecretKeys.parse(lines);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s (%s): %s".formatted(SecretKeys.SETTING, file, e.getMessage()), e);
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
