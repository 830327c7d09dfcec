package io.kairos.push;

import io.kairos.engine.pool.secret.SecretKeys;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings of a node about the files that its pools need. */
public record PoolFilesConfig(
    List<CredentialFiles> credentials,
    @Setting(
            key = SecretKeys.SETTING,
            description =
                "File with keys by which the signing secrets of pools are encrypted in the database, the same on all nodes. Each line is an id, a colon, and 32 random bytes in base64 (`openssl rand -base64 32`); the first key encrypts, all decrypt. It is read again when it changes. Without it secrets are stored as they are.")
        Optional<Path> encryptionKeyFile) {
  public PoolFilesConfig {
    ConfigRecord.check(PoolFilesConfig.class, credentials, encryptionKeyFile);
    credentials = List.copyOf(credentials);
  }
}
