package io.kairos.edge.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.worker.WorkerKey;
import io.kairos.engine.worker.WorkerPlace;
import java.util.Base64;
import java.util.List;

/** Tokens of pages of workers: the place of the last worker of the page before. */
final class WorkerPages {
  private static final String QUIET = "quiet";
  private static final String HEARD_OF = "heard of";

  /** Neither ids nor names of callers have control characters. */
  private static final String BETWEEN = "\n";

  private static final int PARTS = 3;

  private WorkerPages() {}

  static String token(WorkerPlace last) {
    String text =
        String.join(
            BETWEEN, last.isQuiet() ? QUIET : HEARD_OF, last.key().worker(), last.key().caller());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  /** The first page for an empty token. */
  static WorkerPlace place(String token) {
    if (token.isEmpty()) {
      return WorkerPlace.FIRST;
    }
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), UTF_8);
      List<String> parts = List.of(text.split(BETWEEN, PARTS));
      if (parts.size() == PARTS
          && text.indexOf('\0') < 0
          && (parts.get(0).equals(QUIET) || parts.get(0).equals(HEARD_OF))) {
        return new WorkerPlace(
            parts.get(0).equals(QUIET), new WorkerKey(parts.get(1), parts.get(2)));
      }
    } catch (IllegalArgumentException _) {
      // The token is not base64 and is refused below.
    }
    throw new InvalidField("page_token", "must come from the answer to the same question");
  }
}
