package io.kairos.bench.credential;

import io.kairos.bench.credential.TokenIssuer.SigningKey;
import io.kairos.bench.load.BenchWait;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The keys by which the issuer signs JSON Web Tokens. It publishes a key before it signs by it, and
 * the former one until the next turn. A node fetches keys at once only for a token that names an
 * unknown one, and only every 30 s.
 */
final class SigningKeys extends CredentialRotation {
  /** The nodes' bound, and a round of the loop that fetches. */
  private static final Duration FETCHED_EVERY = Duration.ofSeconds(31);

  private static final Duration FETCHED_WITHIN = Duration.ofSeconds(50);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final TokenIssuer issuer;
  private @Nullable SigningKey beforeThat;

  SigningKeys(CredentialRun run) {
    super(run, "keys of the issuer", new ReentrantReadWriteLock());
    this.issuer = run.issuer;
  }

  private boolean accepts(int port, SigningKey key) {
    return run.probe().ask(port, TokenIssuer.token(key)).status() == NodeProbe.OK;
  }

  private boolean haveFetched(long sinceNanos) {
    return issuer.fetchersSince(sinceNanos) == run.ports().size();
  }

  /** Waits until the nodes may fetch again. */
  private void awaitQuiet() {
    require(
        BenchWait.until(
            () -> issuer.fetchersSince(System.nanoTime() - FETCHED_EVERY.toNanos()) == 0,
            FETCHED_WITHIN,
            LOOK_EVERY),
        "a node fetches the keys again and again");
  }

  @Override
  void replace() {
    awaitQuiet();
    SigningKey former = issuer.signing();
    SigningKey next = issuer.newKey();
    issuer.publish(former, next);
    awaitOnAll("a token of the new key is good", port -> accepts(port, next));
    requireOnAll("a token of the former key is not good", port -> accepts(port, former));
    issuer.sign(next);
    SigningKey dropped = beforeThat;
    if (dropped != null) {
      requireOnAll(
          "a token of a key that is no more is not refused",
          port -> run.probe().ask(port, TokenIssuer.token(dropped)).isRefusal());
    }
    beforeThat = former;
  }

  @Override
  void spoil(SplittableRandom chance) {
    awaitQuiet();
    String right = issuer.published();
    switch (chance.nextInt(5)) {
      case 0 -> issuer.spoil(503, "away");
      case 1 -> issuer.spoil(200, NodeCertificates.half(right));
      case 2 -> issuer.spoil(200, "{\"keys\":[]}");
      case 3 -> issuer.spoil(200, "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\",\"kid\":\"x\"}]}");
      default -> issuer.spoil(200, "<html>");
    }
    long since = System.nanoTime();
    String unknown = issuer.ofUnknownKey();
    requireOnAll(
        "a token of an unknown key is let in",
        port -> run.probe().ask(port, unknown).status() >= 400);
    require(
        BenchWait.until(() -> haveFetched(since), FETCHED_WITHIN, LOOK_EVERY),
        "an unknown key did not make a node fetch the keys");
    BenchWait.pass(LOOK_EVERY);
    requireOnAll(
        "the old keys are not in use beside unusable ones",
        port -> accepts(port, issuer.signing()));
    issuer.spoil(200, right);
    long mended = System.nanoTime();
    require(
        BenchWait.until(() -> haveFetched(mended), FETCHED_WITHIN, LOOK_EVERY),
        "a node did not fetch the keys after they had been mended");
  }
}
