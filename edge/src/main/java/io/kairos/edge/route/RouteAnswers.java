package io.kairos.edge.route;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.DeadLetter;
import io.kairos.api.v1.DeadLetterGroup;
import io.kairos.api.v1.DelayRoute;
import io.kairos.api.v1.ListDeadLettersRequest;
import io.kairos.api.v1.ListDeadLettersResponse;
import io.kairos.api.v1.ListRoutesResponse;
import io.kairos.api.v1.Message;
import io.kairos.api.v1.Topic;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.cluster.RouteFigures.Amendments;
import io.kairos.engine.cluster.RouteState;
import io.kairos.engine.delay.MessageView;
import io.kairos.engine.delay.letter.LetterPage;
import io.kairos.engine.delay.letter.LetterRecord;
import java.util.List;

/** Makes messages of what the engine answers. */
final class RouteAnswers {
  private static final long MICROS_PER_MILLI = 1_000;

  private RouteAnswers() {}

  static ListRoutesResponse routes(List<RouteState> routes) {
    ListRoutesResponse.Builder answer = ListRoutesResponse.newBuilder();
    routes.forEach(route -> answer.addRoutes(route(route)));
    return answer.build();
  }

  private static DelayRoute route(RouteState route) {
    DelayRoute.Builder answer =
        DelayRoute.newBuilder()
            .setName(route.name())
            .setWaiting(route.waiting().count())
            .setEstimated(route.waiting().isEstimated())
            .setServed(!route.told().isEmpty());
    Amendments amendments = Amendments.NONE;
    long takenOver = 0;
    for (RouteFigures told : route.told()) {
      answer.setInput(told.input()).setOutput(told.output()).setDeadLetters(told.deadLetters());
      takenOver += told.takenOver();
      amendments = amendments.plus(told.amendments());
      told.inputs().forEach(input -> answer.addPartitions(input(told.node(), input)));
      told.lanes().forEach(lane -> answer.addLanes(lane(told.node(), lane)));
    }
    return answer
        .setTakenOver(takenOver)
        .setAmendments(
            DelayRoute.Amendments.newBuilder()
                .setApplied(amendments.applied())
                .setTooLate(amendments.tooLate())
                .setUnknownId(amendments.unknownId()))
        .build();
  }

  private static DelayRoute.InputPartition.Builder input(String node, RouteFigures.Input input) {
    DelayRoute.InputPartition.Builder answer =
        DelayRoute.InputPartition.newBuilder()
            .setNode(node)
            .setPartition((int) input.partition())
            .setPosition(input.position());
    return input.lag() < 0 ? answer : answer.setLag(input.lag());
  }

  private static DelayRoute.Lane.Builder lane(String node, RouteFigures.Lane lane) {
    return DelayRoute.Lane.newBuilder()
        .setNode(node)
        .setTopic(lane.output())
        .setPartition((int) lane.partition())
        .setTrouble(lane.trouble())
        .setQueued(lane.queued());
  }

  static Message message(String id, MessageView view) {
    Message.Builder answer = Message.newBuilder().setId(id).setRoute(view.route());
    MessageView.Stored stored = view.stored();
    return stored == null
        ? answer.setState(Message.State.GONE).build()
        : answer
            .setState(stored.isReady() ? Message.State.READY : Message.State.WAITING)
            .setRunAt(ProtoTime.of(EpochMicros.toInstant(stored.dueMicros())))
            .setTopic(stored.output().label())
            .build();
  }

  static ListDeadLettersResponse letters(LetterPage page, ListDeadLettersRequest asked) {
    ListDeadLettersResponse.Builder answer =
        ListDeadLettersResponse.newBuilder()
            .setRead(page.read())
            .setNextPageToken(LetterToken.of(page.next(), asked));
    boolean hasValues = asked.getMaxValueBytes() > 0;
    page.letters().forEach(letter -> answer.addLetters(letter(letter, hasValues)));
    page.groups().forEach(group -> answer.addGroups(group(group)));
    return answer.build();
  }

  private static DeadLetterGroup.Builder group(LetterPage.Group group) {
    return DeadLetterGroup.newBuilder()
        .setReason(group.reason())
        .setFingerprint(group.fingerprint())
        .setDetail(group.detail())
        .setCount(group.count())
        .setLatest(time(group.latestMillis()))
        .setEarliest(time(group.earliestMillis()));
  }

  static DeadLetter letter(LetterRecord letter, boolean hasValue) {
    DeadLetter.Builder answer =
        DeadLetter.newBuilder()
            .setPartition(letter.place().partition())
            .setOffset(letter.place().offset())
            .setReason(letter.reason())
            .setDetail(letter.detail())
            .setSource(letter.source())
            .setFingerprint(letter.fingerprint())
            .setValueBytes(letter.valueBytes())
            .setCut(letter.isCut())
            .setTruncated(letter.isTruncated());
    if (letter.timestampMillis() >= 0) {
      answer.setAt(time(letter.timestampMillis()));
    }
    byte[] key = letter.key();
    if (key != null) {
      answer.setKey(PayloadBytes.out(key));
    }
    byte[] value = letter.value();
    if (value != null && hasValue) {
      answer.setValue(PayloadBytes.out(value));
    }
    letter.headers().forEach(header -> answer.addHeaders(header(header)));
    return answer.build();
  }

  private static Topic.Header.Builder header(MessageHeader header) {
    byte[] value = header.value();
    return Topic.Header.newBuilder()
        .setName(header.name())
        .setValue(value == null ? ByteString.EMPTY : PayloadBytes.out(value));
  }

  /** A record may claim any time. */
  private static Timestamp time(long millis) {
    long inRange =
        Math.clamp(millis, EpochMicros.MIN / MICROS_PER_MILLI, EpochMicros.MAX / MICROS_PER_MILLI);
    return ProtoTime.of(EpochMicros.toInstant(inRange * MICROS_PER_MILLI));
  }
}
