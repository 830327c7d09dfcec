package io.kairos.bench.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.load.BenchWait;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The tokens of a client and of the workers, in the file of the nodes and in files of theirs. */
final class CallerTokens extends CredentialRotation {
  static final String SUBMITTER = "submitter";
  static final String PERFORMER = "performer";

  private static final int TOKEN_BYTES = 32;
  private static final SecureRandom SECURE = new SecureRandom();

  private Tokens own = Tokens.fresh();

  /** A token of each of the two callers. */
  private record Tokens(String submitter, String performer) {
    static Tokens fresh() {
      return new Tokens(token(), token());
    }

    private static String token() {
      byte[] bytes = new byte[TOKEN_BYTES];
      SECURE.nextBytes(bytes);
      return HexFormat.of().formatHex(bytes);
    }

    String lines() {
      return line(SUBMITTER, submitter) + line(PERFORMER, performer);
    }

    private static String line(String caller, String token) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        return caller + " " + HexFormat.of().formatHex(digest.digest(token.getBytes(UTF_8))) + "\n";
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }
  }

  CallerTokens(CredentialRun run) {
    super(run, "tokens", new ReentrantReadWriteLock());
    run.files.replace(CredentialFolder.TOKENS, own.lines());
    hand();
  }

  /** Gives the callers their tokens. */
  private void hand() {
    run.files.replace(CredentialFolder.SUBMITTER_TOKEN, own.submitter);
    run.files.replace(CredentialFolder.WORKER_TOKEN, own.performer);
  }

  /** True when the node knows both; the performer's role does not allow the request. */
  private boolean knows(int port, Tokens tokens) {
    return run.probe().ask(port, tokens.submitter).status() == NodeProbe.OK
        && run.probe().ask(port, tokens.performer).status() == NodeProbe.DENIED;
  }

  private boolean refuses(int port, Tokens tokens) {
    return run.probe().ask(port, tokens.submitter).isRefusal()
        && run.probe().ask(port, tokens.performer).isRefusal();
  }

  @Override
  void replace() {
    Tokens former = own;
    Tokens next = Tokens.fresh();
    run.files.replace(CredentialFolder.TOKENS, former.lines() + next.lines());
    awaitOnAll("the new tokens are known", port -> knows(port, next));
    requireOnAll("the former tokens are not good beside them", port -> knows(port, former));
    own = next;
    hand();
    BenchWait.pass(TWO_LOOKS);
    run.files.replace(CredentialFolder.TOKENS, next.lines());
    awaitOnAll("the former tokens are refused", port -> refuses(port, former));
    requireOnAll("the new tokens are not good", port -> knows(port, own));
  }

  @Override
  void spoil(SplittableRandom chance) {
    Tokens others = Tokens.fresh();
    String lines = own.lines() + others.lines();
    switch (chance.nextInt(6)) {
      case 0 -> run.files.spoil(CredentialFolder.TOKENS, lines.substring(0, lines.length() - 20));
      case 1 ->
          run.files.spoil(CredentialFolder.TOKENS, others.lines() + "nobody " + "0".repeat(64));
      case 2 -> run.files.spoil(CredentialFolder.TOKENS, others.lines() + others.lines());
      case 3 -> run.files.spoil(CredentialFolder.TOKENS, "{}");
      case 4 -> run.files.remove(CredentialFolder.TOKENS);
      default -> {
        run.files.spoil(CredentialFolder.SUBMITTER_TOKEN, "");
        run.files.remove(CredentialFolder.WORKER_TOKEN);
      }
    }
    BenchWait.pass(TWO_LOOKS);
    requireOnAll("the old ones are not in use beside unusable ones", port -> knows(port, own));
    requireOnAll("a token of an unusable file is known", port -> refuses(port, others));
    run.files.replace(CredentialFolder.TOKENS, own.lines());
    hand();
  }
}
