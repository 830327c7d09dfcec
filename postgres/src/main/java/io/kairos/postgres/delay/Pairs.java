package io.kairos.postgres.delay;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.Suspect;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Messages of one route with the pairs of one holder that they must still carry: the parameters of
 * every fenced statement. What a caller hands over is nearly always one such group; several are
 * worked off in a fixed order, so that two transactions wait for each other at most one way round.
 *
 * @param <T> what the caller calls such a message
 */
record Pairs<T>(RouteId route, NodeId holder, List<T> members, Function<T, Place> place) {
  /** A message and the pair it must carry. */
  record Place(RouteId route, MessageId id, Fence fence) {
    static Place of(Claimed held) {
      return new Place(held.message().route(), held.message().id(), held.fence());
    }

    static Place of(Suspect suspect) {
      return new Place(suspect.route(), suspect.id(), suspect.fence());
    }

    static Place of(AmendmentDecision decision) {
      return of(decision.message());
    }
  }

  private record Key(RouteId route, NodeId holder) {
    static final Comparator<Key> ORDER =
        Comparator.comparingInt((Key key) -> key.route.value())
            .thenComparing(key -> key.holder.value());
  }

  static <T> List<Pairs<T>> grouped(Collection<T> members, Function<T, Place> place) {
    TreeMap<Key, List<T>> groups = new TreeMap<>(Key.ORDER);
    Key last = null;
    List<T> ofLast = List.of();
    for (T member : members) {
      Place at = place.apply(member);
      Key key = new Key(at.route(), at.fence().readiedBy());
      if (!key.equals(last)) {
        last = key;
        ofLast = groups.computeIfAbsent(key, _ -> new ArrayList<>(members.size()));
      }
      ofLast.add(member);
    }
    List<Pairs<T>> pairs = new ArrayList<>(groups.size());
    groups.forEach((key, of) -> pairs.add(new Pairs<>(key.route(), key.holder(), of, place)));
    return pairs;
  }

  Call bind(Call call) throws SQLException {
    long[] stamps = new long[members.size()];
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = place.apply(members.get(i)).fence().readiedAtMicros();
    }
    return call.with("route", route.value())
        .with("holder", holder.value())
        .with("ids", Ids.of(members, member -> place.apply(member).id()))
        .with("stamps", BinaryArray.longs(stamps));
  }

  /** Members with one of these ids. */
  List<T> with(Set<String> ids) {
    return members.stream().filter(one -> ids.contains(place.apply(one).id().value())).toList();
  }

  /** Members with none of these ids. */
  List<T> without(Set<String> ids) {
    return members.stream().filter(one -> !ids.contains(place.apply(one).id().value())).toList();
  }
}
