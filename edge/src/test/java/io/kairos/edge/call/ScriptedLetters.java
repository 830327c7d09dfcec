package io.kairos.edge.call;

import io.kairos.engine.delay.letter.LetterCorrection;
import io.kairos.engine.delay.letter.LetterEdge;
import io.kairos.engine.delay.letter.LetterPage;
import io.kairos.engine.delay.letter.LetterQuery;
import io.kairos.engine.delay.letter.LetterRecord;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.letter.RecordPlace;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Dead letters that a test sets, and what was asked. */
final class ScriptedLetters implements LetterEdge {
  final List<LetterQuery> queries = new CopyOnWriteArrayList<>();
  final List<Republished> republished = new CopyOnWriteArrayList<>();
  volatile LetterPage page = new LetterPage(List.of(), List.of(), 0, Map.of());
  volatile @Nullable LettersRefused refusal;

  /** What was asked to be published again. */
  record Republished(
      String route, RecordPlace letter, LetterCorrection correction, boolean again) {}

  @Override
  public LetterPage list(String route, LetterQuery query) {
    refuse();
    queries.add(query);
    return page;
  }

  @Override
  public LetterRecord get(String route, RecordPlace letter, int valueBytes) {
    refuse();
    return page.letters().stream()
        .filter(each -> each.place().equals(letter))
        .findFirst()
        .orElseThrow(
            () -> new LettersRefused(LettersRefused.Kind.UNKNOWN, "offset: no such letter"));
  }

  @Override
  public RecordPlace republish(
      String route, RecordPlace letter, LetterCorrection correction, boolean again) {
    refuse();
    republished.add(new Republished(route, letter, correction, again));
    return new RecordPlace(3, 4_000_000_000L);
  }

  private void refuse() {
    LettersRefused why = refusal;
    if (why != null) {
      throw why;
    }
  }
}
