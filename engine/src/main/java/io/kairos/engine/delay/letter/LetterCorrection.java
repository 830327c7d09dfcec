package io.kairos.engine.delay.letter;

import io.kairos.domain.delay.MessageHeader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes to a dead letter that is published again.
 *
 * @param runAt another due time
 * @param value another value
 * @param headers each takes the place of all headers of its name
 * @param removed names of headers to leave out
 */
public record LetterCorrection(
    Optional<Instant> runAt,
    Optional<byte[]> value,
    List<MessageHeader> headers,
    Set<String> removed) {
  /** As it was. */
  public static final LetterCorrection NONE =
      new LetterCorrection(Optional.empty(), Optional.empty(), List.of(), Set.of());

  public LetterCorrection {
    headers = List.copyOf(headers);
    removed = Set.copyOf(removed);
  }
}
