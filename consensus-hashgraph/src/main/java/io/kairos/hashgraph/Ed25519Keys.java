package io.kairos.hashgraph;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.replica.ReplicaId;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.util.List;

/** Ed25519 (RFC 8032) by the Java platform; on any thread. */
public final class Ed25519Keys implements EventKeys {
  private static final String ALGORITHM = "Ed25519";

  private final PrivateKey own;
  private final List<PublicKey> roster;

  /**
   * Takes the keys of a cluster.
   *
   * @param roster public keys by the numbers of their replicas
   * @throws IllegalArgumentException when a key is not one of Ed25519, or cannot verify
   */
  public Ed25519Keys(PrivateKey own, List<PublicKey> roster) {
    require(isEd25519(own.getAlgorithm()), "the key of this replica must be of Ed25519");
    roster.forEach(key ->
        require(isEd25519(key.getAlgorithm()), "the keys of all replicas must be of Ed25519"));
    this.own = own;
    this.roster = List.copyOf(roster);
    for (int replica = 0; replica < roster.size(); replica++) {
      try {
        Signature.getInstance(ALGORITHM).initVerify(roster.get(replica));
      } catch (GeneralSecurityException e) {
        throw new IllegalArgumentException(
            "the key of replica %d is no point of the curve".formatted(replica), e);
      }
    }
  }

  private static boolean isEd25519(String algorithm) {
    return algorithm.equals(ALGORITHM) || algorithm.equals("EdDSA");
  }

  @Override
  public byte[] sign(byte[] hash) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(own);
      signature.update(hash);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this replica's key cannot sign", e);
    }
  }

  @Override
  public boolean verify(ReplicaId creator, byte[] hash, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(roster.get(creator.number()));
      signature.update(hash);
      return signature.verify(signed);
    } catch (SignatureException e) {
      return false; // no point of the curve
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key of " + creator + " cannot verify", e);
    }
  }
}
