package io.kairos.push;

import io.kairos.api.file.FileWatch;
import io.kairos.engine.loop.NextRound;
import java.time.Duration;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of pools again every few seconds, and has secrets encrypted with the first key:
 * when the node starts, when the keys have changed, and every hour, because a node whose file is
 * older may have stored one meanwhile. Run by one loop.
 */
final class PoolFilesStep {
  private static final Logger LOG = LoggerFactory.getLogger(PoolFilesStep.class);
  private static final Duration ENCRYPTS_EVERY = Duration.ofHours(1);

  private final PushPorts ports;
  private final Runnable changed;
  private boolean encrypted;
  private boolean saidThatItWaits;
  private long encryptedNanos;

  /**
   * @param changed called when pools may be readable that were not
   */
  PoolFilesStep(PushPorts ports, Runnable changed) {
    this.ports = ports;
    this.changed = changed;
  }

  /** True when there are files to look at. */
  boolean isNeeded() {
    return ports.encryptionKeys().isPresent() || !ports.caller().credentials().isEmpty();
  }

  NextRound runOnce() {
    long now = ports.monotonic().nanos();
    ports.caller().renew(now);
    ports
        .encryptionKeys()
        .ifPresent(keys -> {
          if (keys.look()) {
            encrypted = false;
            changed.run();
          }
          if (!encrypted || now - encryptedNanos >= ENCRYPTS_EVERY.toNanos()) {
            encrypt(now);
          }
        });
    return NextRound.after(FileWatch.LOOKS_EVERY);
  }

  private void encrypt(long nowNanos) {
    OptionalInt count = ports.pools().encryptSecrets();
    encrypted = count.isPresent();
    encryptedNanos = nowNanos;
    if (count.isEmpty() && !saidThatItWaits) {
      LOG.warn(
          "the secrets of pools are encrypted when no node of a version runs that cannot decrypt them");
    } else if (count.orElse(0) > 0) {
      LOG.atInfo()
          .addKeyValue("secrets", count.orElse(0))
          .log("secrets of pools were encrypted with the first key");
    }
    saidThatItWaits = count.isEmpty();
  }
}
