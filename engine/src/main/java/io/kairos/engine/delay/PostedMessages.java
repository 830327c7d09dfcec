package io.kairos.engine.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.PostedId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.letter.LetterEdge;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.StoredMessage;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.node.StoreUnavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entry to the delay queue for calls. A posted message is stored like one of an input topic,
 * and the same steps fire it. Thread-safe.
 *
 * @param routes that the node serves
 * @param random 64 random bits
 * @param desk serves the dead letters of these routes
 */
public record PostedMessages(
    DelayNode node, List<Route> routes, InstantSource clock, LongSupplier random, LetterEdge desk)
    implements MessageEdge {
  private static final long MICROS_PER_MILLI = 1_000;
  private static final Duration DECIDED_WITHIN = Duration.ofSeconds(5);

  public PostedMessages {
    routes = List.copyOf(routes);
  }

  @Override
  public Optional<RouteId> routeTo(Set<TopicName> topics) {
    return routes.stream()
        .filter(route -> topics.stream().allMatch(topic -> allows(route, topic)))
        .map(Route::id)
        .findFirst();
  }

  @Override
  public Set<TopicName> topics(RouteId id) {
    return route(id).stream()
        .flatMap(
            route -> Stream.concat(Stream.of(route.outputTopic()), route.allowedOutputs().stream()))
        .filter(TopicName.class::isInstance)
        .map(TopicName.class::cast)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean allows(Route route, TopicName topic) {
    return route.outputTopic().equals(topic) || route.allowedOutputs().contains(topic);
  }

  @Override
  public List<PostedId> post(RouteId id, List<NewMessage> messages) {
    Route route = route(id).orElseThrow();
    List<PostedId> ids = new ArrayList<>(messages.size());
    List<DelayedMessage> stored = new ArrayList<>(messages.size());
    for (NewMessage message : messages) {
      PostedId posted = id(route, message);
      ids.add(posted);
      stored.add(delayed(route, posted, message));
    }
    Set<MessageId> inserted = node.submit(id, stored);
    for (int i = 0; i < stored.size(); i++) {
      if (messages.get(i).once() == null && !inserted.contains(stored.get(i).id())) {
        throw new StoreUnavailable("an id is taken");
      }
    }
    return ids;
  }

  private PostedId id(Route route, NewMessage message) {
    String once = message.once();
    return once == null
        ? PostedId.at(clock.millis(), route.id(), random.getAsLong())
        : PostedId.once(
            message.dueMicros() / MICROS_PER_MILLI, route.id(), otherTopic(route, message), once);
  }

  /** The topic of a message; null if it is the route's. */
  private static @Nullable TopicName otherTopic(Route route, NewMessage message) {
    return route.outputTopic().equals(message.topic()) ? null : message.topic();
  }

  private Optional<Route> route(RouteId id) {
    return routes.stream().filter(route -> route.id().equals(id)).findFirst();
  }

  private static DelayedMessage delayed(Route route, PostedId id, NewMessage message) {
    List<MessageHeader> headers = new ArrayList<>(message.headers());
    if (route.relayId()) {
      headers.add(
          new MessageHeader(ControlHeaders.ID, id.toString().getBytes(StandardCharsets.US_ASCII)));
    }
    return new DelayedMessage(
        route.id(),
        id.message(),
        message.dueMicros(),
        otherTopic(route, message),
        HeaderCodec.encode(headers),
        message.key(),
        message.value());
  }

  @Override
  public Optional<AmendmentOutcome> amend(PostedId id, Amendment amendment) {
    return route(id.route()).isEmpty()
        ? Optional.of(AmendmentOutcome.UNKNOWN_ID)
        : node.amend(id.route(), id.message(), amendment, DECIDED_WITHIN);
  }

  @Override
  public Optional<MessageView> find(PostedId id) {
    return route(id.route()).map(route -> view(route, id.message()));
  }

  @Override
  public Optional<MessageView> find(String name, MessageId id) {
    return routes.stream()
        .filter(route -> route.name().equals(name))
        .findFirst()
        .map(route -> view(route, id));
  }

  private MessageView view(Route route, MessageId id) {
    return new MessageView(
        route.name(), node.find(route.id(), id).map(found -> stored(route, found)).orElse(null));
  }

  private static MessageView.Stored stored(Route route, StoredMessage found) {
    MessageOutput own = found.output();
    return new MessageView.Stored(
        found.dueMicros(), own == null ? route.outputTopic() : own, found.isReady());
  }

  @Override
  public Optional<LetterEdge> letters() {
    return Optional.of(desk);
  }

  @Override
  public Optional<KeptLetter> letter(UUID id) {
    return node.kept(id);
  }
}
