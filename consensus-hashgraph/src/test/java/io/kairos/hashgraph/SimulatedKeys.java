package io.kairos.hashgraph;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.replica.ReplicaId;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys of a simulated cluster: of Ed25519, or for most seeds cheap ones, a hash with a secret that
 * only its replica and the verifier know.
 */
final class SimulatedKeys {
  private SimulatedKeys() {}

  static List<EventKeys> cheap(int replicas, long seed) {
    List<EventKeys> keys = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      ReplicaId self = new ReplicaId(i);
      keys.add(
          new EventKeys() {
            @Override
            public byte[] sign(byte[] hash) {
              return mac(self, hash, seed);
            }

            @Override
            public boolean verify(ReplicaId creator, byte[] hash, byte[] signature) {
              return MessageDigest.isEqual(mac(creator, hash, seed), signature);
            }
          });
    }
    return keys;
  }

  private static byte[] mac(ReplicaId replica, byte[] hash, long seed) {
    MessageDigest digest = HashFunction.sha256();
    digest.update(ByteBuffer.allocate(16).putLong(seed).putLong(replica.number()).array());
    byte[] mac = digest.digest(hash);
    return ByteBuffer.allocate(EventKeys.SIGNATURE_BYTES).put(mac).put(mac).array();
  }

  private record Signed(ReplicaId creator, ByteBuffer hash, ByteBuffer signature) {}

  /** Verifies once what every replica of a cluster receives, and most of them several times. */
  private record Verifying(EventKeys keys, Map<Signed, Boolean> verified) implements EventKeys {
    @Override
    public byte[] sign(byte[] hash) {
      return keys.sign(hash);
    }

    @Override
    public boolean verify(ReplicaId creator, byte[] hash, byte[] signature) {
      return verified.computeIfAbsent(
          new Signed(creator, ByteBuffer.wrap(hash), ByteBuffer.wrap(signature)),
          _ -> keys.verify(creator, hash, signature));
    }
  }

  static List<EventKeys> ed25519(int replicas, long seed) {
    try {
      SecureRandom random = SecureRandom.getInstance("SHA1PRNG"); // by its seed alone
      random.setSeed(seed);
      KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
      generator.initialize(NamedParameterSpec.ED25519, random);
      List<KeyPair> pairs = new ArrayList<>();
      for (int i = 0; i < replicas; i++) {
        pairs.add(generator.generateKeyPair());
      }
      List<PublicKey> roster = pairs.stream().map(KeyPair::getPublic).toList();
      Map<Signed, Boolean> verified = new ConcurrentHashMap<>();
      return pairs.stream()
          .<EventKeys>map(
              pair -> new Verifying(new Ed25519Keys(pair.getPrivate(), roster), verified))
          .toList();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
