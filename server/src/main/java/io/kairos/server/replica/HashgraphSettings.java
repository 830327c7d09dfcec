package io.kairos.server.replica;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ReplicatedLogProvider.SigningKeys;
import io.kairos.engine.setting.Setting;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.HashSet;
import java.util.List;

/** The settings that only a log of replicas that may lie has. */
public record HashgraphSettings(
    @Setting(
            key = SIGNING_KEY,
            required = true,
            otherwise = TOGETHER,
            description =
                "PEM file (PKCS 8) of this replica's private key of Ed25519, by which it signs what it tells the others. \"kairos replica keys FILE\" makes one.")
        Path signingKey,
    @Setting(
            key = PUBLIC_KEYS,
            required = true,
            otherwise = TOGETHER,
            description =
                "Public keys of all replicas, in the order of replica.peers and the same for all: each a PEM file, or the one line of base64 in it. Fixed for the life of the cluster.")
        List<String> publicKeys,
    @Setting(
            key = FORGOTTEN,
            defaultValue = "false",
            description =
                "Set once for a replica that has taken part before and comes back without its directory. It listens and executes, and says nothing until it cannot contradict what it has forgotten. Without it such a replica would be a liar. Without meaning once there is a journal. Never set it on a new cluster, nor on more replicas than may lie: nothing would be decided any more.")
        boolean hasForgotten) {
  public static final String SIGNING_KEY = "replica.hashgraph.signing-key-file";
  public static final String PUBLIC_KEYS = "replica.hashgraph.public-keys";
  public static final String FORGOTTEN = "replica.hashgraph.forgotten";
  static final String TOGETHER =
      "this replica's signing key and the public keys of all go together; \"kairos replica keys\" makes a pair";

  public HashgraphSettings {
    requireNonNull(signingKey, "signingKey");
    publicKeys = List.copyOf(publicKeys);
  }

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException that names the setting and what is wrong
   */
  public SigningKeys read(ReplicaId self) {
    PrivateKey own;
    try {
      own = SigningKeyPem.readPrivate(signingKey);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(SIGNING_KEY + ": " + e.getMessage(), e);
    }
    List<PublicKey> all;
    try {
      all = publicKeys.stream().map(SigningKeyPem::readPublic).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PUBLIC_KEYS + ": " + e.getMessage(), e);
    }
    if (new HashSet<>(all).size() < all.size()) {
      throw new IllegalArgumentException(
          PUBLIC_KEYS + " has one key twice: each replica has a pair of its own");
    }
    if (!SigningKeyPem.arePair(own, all.get(self.number()))) {
      throw new IllegalArgumentException(
          "%s (%s) is not the key of %s in %s: correct the order of the public keys, the file, or replica.id"
              .formatted(signingKey, SIGNING_KEY, self, PUBLIC_KEYS));
    }
    return new SigningKeys(own, all);
  }
}
