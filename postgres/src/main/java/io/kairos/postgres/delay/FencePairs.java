package io.kairos.postgres.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.SqlCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Messages of one route with the fences of one holder that they must still carry: the parameters of
 * every fenced statement. A batch is nearly always one such group; several groups are worked off in
 * a fixed order, so that two transactions cannot deadlock.
 *
 * @param <T> the caller's type for such a message
 */
record FencePairs<T>(RouteId route, NodeId holder, List<T> members, Function<T, FencedId> place) {
  /** A message and the fence that it must carry. */
  record FencedId(RouteId route, MessageId id, Fence fence) {
    static FencedId of(ClaimedMessage held) {
      return new FencedId(held.message().route(), held.message().id(), held.fence());
    }

    static FencedId of(LongHeldMessage suspect) {
      return new FencedId(suspect.route(), suspect.id(), suspect.fence());
    }

    static FencedId of(AmendmentDecision decision) {
      return of(decision.message());
    }
  }

  private record Key(RouteId route, NodeId holder) {
    static final Comparator<Key> ORDER =
        Comparator.comparingInt((Key key) -> key.route.value())
            .thenComparing(key -> key.holder.value());
  }

  static <T> List<FencePairs<T>> grouped(Collection<T> members, Function<T, FencedId> place) {
    TreeMap<Key, List<T>> groups = new TreeMap<>(Key.ORDER);
    Key last = null;
    List<T> ofLast = List.of();
    for (T member : members) {
      FencedId at = place.apply(member);
      Key key = new Key(at.route(), at.fence().readiedBy());
      if (!key.equals(last)) {
        last = key;
        ofLast = groups.computeIfAbsent(key, _ -> new ArrayList<>(members.size()));
      }
      ofLast.add(member);
    }
    List<FencePairs<T>> pairs = new ArrayList<>(groups.size());
    groups.forEach((key, of) -> pairs.add(new FencePairs<>(key.route(), key.holder(), of, place)));
    return pairs;
  }

  SqlCall bind(SqlCall call) {
    long[] stamps = new long[members.size()];
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = place.apply(members.get(i)).fence().readiedAtMicros();
    }
    return call.with("route", route.value())
        .with("holder", holder.value())
        .with("ids", MessageIdArray.of(members, member -> place.apply(member).id()))
        .with("stamps", BinaryArray.longs(stamps));
  }

  /** Returns the members with one of these ids. */
  List<T> with(Set<String> ids) {
    return members.stream().filter(one -> ids.contains(place.apply(one).id().value())).toList();
  }

  /** Returns the members with none of these ids. */
  List<T> without(Set<String> ids) {
    return members.stream().filter(one -> !ids.contains(place.apply(one).id().value())).toList();
  }
}
