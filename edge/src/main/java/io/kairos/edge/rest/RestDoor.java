package io.kairos.edge.rest;

import static io.kairos.edge.refusal.InvalidField.require;
import static java.util.Objects.requireNonNull;

import com.google.api.AnnotationsProto;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.common.util.SafeCloseable;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.Access.RequestSize;
import io.kairos.edge.access.AccessRules;
import io.kairos.edge.access.CallBounds;
import io.kairos.edge.access.CallGate;
import io.kairos.edge.access.RequestSizes;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.session.DashboardRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * Serves a method as REST: makes a message of path, query and body, and calls the method as gRPC
 * would, through the same gate. Armeria's own transcoding is not used, because it takes a body that
 * is not JSON for an empty one and ignores unknown parameters.
 */
public final class RestDoor<Q, A> implements HttpService {
  /** Longer than the longest wait of a worker, by the time that the node needs to end it. */
  private static final Duration LONGEST = Duration.ofSeconds(70);

  private final ServerMethodDefinition<Q, A> definition;
  private final MethodDescriptor<Q, A> method;
  private final RestRoute route;
  private final boolean isLarge;
  private final Executor parsers;
  private final Message prototype;
  private final Class<Q> type;

  private RestDoor(
      ServerMethodDefinition<Q, A> definition, RestRoute route, boolean isLarge, Executor parsers) {
    this.definition = definition;
    this.isLarge = isLarge;
    this.parsers = parsers;
    this.method = definition.getMethodDescriptor();
    this.route = route;
    PrototypeMarshaller<Q> requests = (PrototypeMarshaller<Q>) method.getRequestMarshaller();
    this.prototype = (Message) requireNonNull(requests.getMessagePrototype());
    this.type = requests.getMessageClass();
  }

  /**
   * Adds a REST service for every method that has an http annotation.
   *
   * @param sessions lets a service know callers by their sessions
   * @param parsers parse large bodies
   */
  public static void open(
      ServerBuilder server,
      List<ServerServiceDefinition> services,
      AccessRules rules,
      CallBounds bounds,
      UnaryOperator<HttpService> sessions,
      Executor parsers) {
    for (ServerServiceDefinition service : services) {
      for (ServerMethodDefinition<?, ?> definition : service.getMethods()) {
        if (definition.getMethodDescriptor().getSchemaDescriptor()
            instanceof ProtoMethodDescriptorSupplier proto) {
          MethodOptions options = proto.getMethodDescriptor().getOptions();
          if (options.hasExtension(AnnotationsProto.http)) {
            RequestSize size = rules.size(definition.getMethodDescriptor().getFullMethodName());
            for (RestRoute route : RestRoute.of(options.getExtension(AnnotationsProto.http))) {
              server.service(
                  route.route(),
                  sessions.apply(
                      bounds.around(
                          new RestDoor<>(definition, route, RequestSizes.isLarge(size), parsers),
                          size)));
            }
          }
        }
      }
    }
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    context.setRequestTimeout(TimeoutMode.SET_FROM_START, LONGEST);
    RestCall<Q, A> call = new RestCall<>(context, method);
    ServerCall.Listener<Q> listener =
        definition.getServerCallHandler().startCall(call, metadata(request));
    if (!call.isClosed()) {
      var _ = context.whenRequestCancelling().thenAccept(cause -> cancel(call, listener));
      var _ =
          request
              .aggregate(context.eventLoop())
              .whenComplete((whole, failure) -> {
                try (SafeCloseable _ = context.push()) {
                  if (whole != null) {
                    begin(context, whole, call, listener);
                  } else if (failure instanceof StatusRuntimeException refusal) {
                    CallGate.refuse(call, refusal);
                  } else {
                    call.fail(requireNonNull(failure));
                  }
                }
              });
    }
    return call.response();
  }

  private static Metadata metadata(HttpRequest request) {
    Metadata metadata = new Metadata();
    String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION);
    if (authorization != null) {
      metadata.put(CallGate.AUTHORIZATION, authorization);
    }
    return metadata;
  }

  private void begin(
      ServiceRequestContext context,
      AggregatedHttpRequest request,
      RestCall<Q, A> call,
      ServerCall.Listener<Q> listener) {
    if (isLarge && request.content().length() > RequestSizes.SMALL) {
      var _ =
          CompletableFuture.supplyAsync(
                  () -> type.cast(read(context, request)), context.makeContextAware(parsers))
              .whenCompleteAsync(
                  (message, failure) -> {
                    if (message != null) {
                      pass(message, listener);
                    } else {
                      CallGate.refuse(
                          call, CallRefusals.of(Exceptions.peel(requireNonNull(failure))));
                    }
                  },
                  context.eventLoop());
      return;
    }
    Q message;
    try {
      message = type.cast(read(context, request));
    } catch (RuntimeException e) {
      CallGate.refuse(call, CallRefusals.of(e));
      return;
    }
    pass(message, listener);
  }

  private static <Q> void pass(Q message, ServerCall.Listener<Q> listener) {
    listener.onMessage(message);
    listener.onHalfClose();
  }

  private static <Q, A> void cancel(RestCall<Q, A> call, ServerCall.Listener<Q> listener) {
    if (!call.isClosed()) {
      call.cancel();
      listener.onCancel();
    }
  }

  /**
   * Refuses a body that is not JSON, and a change without that type even when it has no body: a
   * browser lets no page send the type to another site without a CORS preflight. A DELETE needs a
   * preflight by itself, so only one of a page needs the type, unless it has the dashboard's
   * header.
   */
  private static void requireJson(AggregatedHttpRequest request) {
    boolean fromPage =
        request.headers().contains(HttpHeaderNames.ORIGIN)
            && !DashboardRequest.hasHeader(request.headers());
    boolean isSafe =
        request.method() == HttpMethod.GET || (request.method() == HttpMethod.DELETE && !fromPage);
    MediaType type = request.contentType();
    require(
        (request.content().isEmpty() && isSafe) || (type != null && type.isJson()),
        "content-type",
        "must be application/json");
  }

  private Message read(ServiceRequestContext context, AggregatedHttpRequest request) {
    requireJson(request);
    RestRequest message =
        new RestRequest(prototype.newBuilderForType(), route, method.isIdempotent());
    message.readBody(request);
    for (int i = 0; i < route.variables().size(); i++) {
      message.readPath(
          route.variables().get(i), String.valueOf(context.pathParam(RestRoute.parameter(i))));
    }
    context.queryParams().forEach(message::readQuery);
    message.readHeaders(request.headers());
    return message.build();
  }
}
