package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What an event and its ancestors show of each creator: its last event, and whether it has forked.
 * The same for every replica, as far as it is about events that are not ancient. Immutable.
 */
final class Ancestry {
  private final @Nullable Shown[] shown;

  /**
   * What is shown of one creator.
   *
   * @param last the last one of its chain; of several, one of those with the latest birth
   * @param forked of two of its events that do not follow each other, the earlier round of birth;
   *     of several such pairs, the latest of these rounds; 0 if there are none
   */
  private record Shown(Event.Parent last, long forked) {}

  private Ancestry(@Nullable Shown[] shown) {
    this.shown = shown;
  }

  static Ancestry none(int creators) {
    return new Ancestry(new Shown[creators]);
  }

  /** A fork is shown as long as this round is not ancient; 0 if none is. */
  long forked(ReplicaId creator) {
    Shown of = shown[creator.number()];
    return of == null ? 0 : of.forked();
  }

  /**
   * What this one and another show together.
   *
   * @param follows whether an event is another one of its creator or comes after it in its chain
   */
  Ancestry and(Ancestry other, BiPredicate<Event.Parent, Event.Parent> follows) {
    @Nullable Shown[] both = shown.clone();
    for (int i = 0; i < both.length; i++) {
      both[i] = both(both[i], other.shown[i], follows);
    }
    return new Ancestry(both);
  }

  /** What this one and one more event show together. */
  Ancestry and(Event.Parent event, BiPredicate<Event.Parent, Event.Parent> follows) {
    @Nullable Shown[] both = shown.clone();
    int creator = event.creator().number();
    both[creator] = both(both[creator], new Shown(event, 0), follows);
    return new Ancestry(both);
  }

  private static @Nullable Shown both(
      @Nullable Shown one, @Nullable Shown other, BiPredicate<Event.Parent, Event.Parent> follows) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    boolean isSame = one.last().equals(other.last());
    boolean isOther = !isSame && follows.test(other.last(), one.last());
    boolean isFork = !isSame && !isOther && !follows.test(one.last(), other.last());
    boolean isBornLater = other.last().birthRound() > one.last().birthRound();
    Shown last = isOther || (isFork && isBornLater) ? other : one;
    long forked = Math.max(one.forked(), other.forked());
    if (isFork) {
      long earlier = Math.min(one.last().birthRound(), other.last().birthRound());
      forked = Math.max(forked, earlier);
    }
    return forked == last.forked() ? last : new Shown(last.last(), forked);
  }
}
