package io.kairos.edge.route;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.kairos.api.v1.DeadLetter;
import io.kairos.api.v1.GetDeadLetterRequest;
import io.kairos.api.v1.GetMessageRequest;
import io.kairos.api.v1.ListDeadLettersRequest;
import io.kairos.api.v1.ListDeadLettersResponse;
import io.kairos.api.v1.ListRoutesResponse;
import io.kairos.api.v1.Message;
import io.kairos.api.v1.RepublishDeadLetterRequest;
import io.kairos.api.v1.RepublishDeadLetterResponse;
import io.kairos.api.v1.RouteServiceGrpc;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.PostedId;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.SharedAnswer;
import io.kairos.edge.call.SharedAnswer.Keeping;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.MessageView;
import io.kairos.engine.delay.letter.LetterCorrection;
import io.kairos.engine.delay.letter.LetterEdge;
import io.kairos.engine.delay.letter.LetterQuery;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.letter.RecordPlace;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Shows routes, messages and dead letters, and publishes dead letters again. Called on the
 * connections' threads; all calls ask the store or the broker and move to another thread. Routes
 * are computed at most once in five seconds, for all callers.
 */
public final class RouteCalls implements BindableService {
  private final ReadyNode node;
  private final StoreCalls store;
  private final SharedAnswer<ListRoutesResponse> routes;

  public RouteCalls(ReadyNode node, StoreCalls store, InstantSource clock) {
    this.node = node;
    this.store = store;
    this.routes =
        new SharedAnswer<>(
            store,
            clock,
            () -> RouteAnswers.routes(node.getCluster().routes()),
            Keeping.fiveSeconds());
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(RouteServiceGrpc.getServiceDescriptor())
        .addMethod(
            RouteServiceGrpc.getListRoutesMethod(),
            ServerCalls.asyncUnaryCall((_, caller) -> routes.to(caller)))
        .addMethod(RouteServiceGrpc.getGetMessageMethod(), store.unary(this::message))
        .addMethod(RouteServiceGrpc.getListDeadLettersMethod(), store.unary(this::letters))
        .addMethod(RouteServiceGrpc.getGetDeadLetterMethod(), store.unary(this::letter))
        .addMethod(RouteServiceGrpc.getRepublishDeadLetterMethod(), store.unary(this::republish))
        .build();
  }

  private Message message(GetMessageRequest request) {
    String id = request.getId();
    MessageEdge messages;
    Optional<MessageView> found;
    if (request.getRoute().isEmpty()) {
      PostedId posted =
          InvalidField.reading(
              "id",
              "must be the id that a submission for a topic answered; of a message that came by an input topic, give route, too",
              () -> new PostedId(UUID.fromString(id)));
      messages = node.getMessages("id");
      found = messages.find(posted);
    } else {
      MessageId own = InvalidField.reading("id", () -> new MessageId(id));
      messages = node.getMessages("route");
      found = messages.find(request.getRoute(), own);
    }
    return RouteAnswers.message(
        id,
        found.orElseThrow(() ->
            CallRefusals.of(
                Refusals.notFound(
                    "route: this node serves no route to which the message could belong"))));
  }

  private ListDeadLettersResponse letters(ListDeadLettersRequest request) {
    LetterQuery query = RouteRequests.query(request);
    LetterEdge letters = edge();
    return RouteAnswers.letters(refusing(() -> letters.list(request.getRoute(), query)), request);
  }

  private DeadLetter letter(GetDeadLetterRequest request) {
    RecordPlace place = RouteRequests.place(request);
    int valueBytes = RouteRequests.valueBytes(request.getMaxValueBytes());
    LetterEdge letters = edge();
    return RouteAnswers.letter(
        refusing(() -> letters.get(request.getRoute(), place, valueBytes)), valueBytes > 0);
  }

  private RepublishDeadLetterResponse republish(RepublishDeadLetterRequest request) {
    RecordPlace place = RouteRequests.place(request);
    LetterCorrection correction = RouteRequests.correction(request);
    LetterEdge letters = edge();
    RecordPlace published =
        refusing(
            () -> letters.republish(request.getRoute(), place, correction, request.getAgain()));
    return RepublishDeadLetterResponse.newBuilder()
        .setPartition(published.partition())
        .setOffset(published.offset())
        .build();
  }

  private LetterEdge edge() {
    return node.getMessages("route")
        .letters()
        .orElseThrow(() -> CallRefusals.of(Refusals.noBroker("route")));
  }

  private static <A> A refusing(Supplier<A> call) {
    try {
      return call.get();
    } catch (LettersRefused e) {
      String why = String.valueOf(e.getMessage());
      throw switch (e.kind()) {
        case UNKNOWN -> CallRefusals.of(Refusals.notFound(why));
        case INVALID -> new InvalidField("correction", why);
        case PUBLISHED_BEFORE -> CallRefusals.of(Refusals.exists(why));
        case BUSY -> CallRefusals.of(Refusals.tooMuch(why));
        case AWAY -> CallRefusals.of(Refusals.notYet(why));
        case NOT_ALLOWED -> CallRefusals.of(Refusals.notInState(why));
        case IN_DOUBT -> CallRefusals.of(Refusals.inDoubt(why));
      };
    }
  }
}
