package io.kairos.edge.call;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.MessageView;
import io.kairos.engine.delay.NewMessage;
import io.kairos.engine.delay.letter.LetterEdge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A delay queue that remembers what it was asked; it may publish to {@code orders} and {@code
 * bills}.
 */
final class ScriptedMessages implements MessageEdge {
  static final RouteId ROUTE = new RouteId(7);

  final List<NewMessage> posted = new CopyOnWriteArrayList<>();
  final List<Amendment> amendments = new CopyOnWriteArrayList<>();
  volatile Optional<AmendmentOutcome> outcome = Optional.of(AmendmentOutcome.APPLIED);

  final ScriptedLetters letters = new ScriptedLetters();
  final List<MessageId> found = new CopyOnWriteArrayList<>();
  volatile MessageView view = new MessageView("bills", null);

  static PostedId id(int number) {
    return PostedId.at(Edge.NOW.toEpochMilli(), ROUTE, number);
  }

  @Override
  public Optional<RouteId> routeTo(Set<TopicName> topics) {
    return topics(ROUTE).containsAll(topics) ? Optional.of(ROUTE) : Optional.empty();
  }

  @Override
  public Set<TopicName> topics(RouteId route) {
    return Set.of(new TopicName("orders"), new TopicName("bills"));
  }

  @Override
  public List<PostedId> post(RouteId route, List<NewMessage> messages) {
    List<PostedId> ids = new ArrayList<>();
    for (NewMessage message : messages) {
      ids.add(id(posted.size()));
      posted.add(message);
    }
    return ids;
  }

  @Override
  public Optional<MessageView> find(PostedId id) {
    return id.route().equals(ROUTE) ? Optional.of(view) : Optional.empty();
  }

  @Override
  public Optional<MessageView> find(String route, MessageId id) {
    found.add(id);
    return route.equals(view.route()) ? Optional.of(view) : Optional.empty();
  }

  @Override
  public Optional<LetterEdge> letters() {
    return Optional.of(letters);
  }

  @Override
  public Optional<AmendmentOutcome> amend(PostedId id, Amendment amendment) {
    amendments.add(amendment);
    return outcome;
  }
}
