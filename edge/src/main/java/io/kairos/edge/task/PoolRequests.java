package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.duration;

import com.google.protobuf.FieldMask;
import com.google.protobuf.util.FieldMaskUtil;
import io.kairos.api.v1.CreatePoolRequest;
import io.kairos.api.v1.ListPoolsRequest;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.UpdatePoolRequest;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.EndpointEjection;
import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.Pool.Endpoints;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.InvalidField;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Checks requests about pools and translates them for the engine. Throws {@link InvalidField}. */
public final class PoolRequests {
  private static final String ENDPOINTS = "endpoints";
  private static final SortedSet<String> FIELDS =
      new TreeSet<>(
          Set.of(
              ENDPOINTS,
              "routing",
              "ejection",
              "health_path",
              "request_timeout",
              "completion_timeout",
              "answers_later",
              "max_in_flight",
              "tls"));
  private static final Set<String> KINDS = Set.of("listed", "resolved", "registered");

  private PoolRequests() {}

  /** The handler that performs the task: one of workers, or a pool. */
  static TaskHandler handler(ScheduleTaskRequest request) {
    if (!request.hasPool()) {
      return RequestFields.handlerName("handler", request.getHandler());
    }
    require(request.getHandler().isEmpty(), "handler", "must not be given together with pool");
    return name("pool.name", request.getPool().getName());
  }

  /** The payload of the task: the body for workers, the whole HTTP request for a pool. */
  static byte[] payload(ScheduleTaskRequest request) {
    byte[] body = PayloadBytes.in(request.getPayload());
    return request.hasPool() ? request(request.getPool(), body).encode() : body;
  }

  /** The HTTP request of a pool's task. */
  public static PushRequest request(PoolTarget target, byte[] body) {
    List<MessageHeader> headers = new ArrayList<>();
    require(
        target.getHeadersCount() <= PushRequest.MOST_HEADERS,
        "pool.headers",
        "must be at most " + PushRequest.MOST_HEADERS);
    for (int i = 0; i < target.getHeadersCount(); i++) {
      PoolTarget.Header given = target.getHeaders(i);
      MessageHeader header =
          new MessageHeader(given.getName(), given.getValue().getBytes(StandardCharsets.UTF_8));
      require(
          PushRequest.isHeader(header), "pool.headers[" + i + "]", "must " + PushRequest.HEADER);
      headers.add(header);
    }
    String routing = target.getRoutingKey();
    if (!routing.isEmpty()) {
      String field = "pool.routing_key";
      require(PushRequest.isRoutingKey(routing), field, "must " + PushRequest.ROUTING_KEYS);
      require(
          headers.stream().noneMatch(PushRequest::isRoutingKey),
          field,
          "must not be given together with the header " + PushRequest.ROUTING_KEY);
      require(
          headers.size() < PushRequest.MOST_HEADERS,
          field,
          "must not be given together with " + PushRequest.MOST_HEADERS + " headers: it is one");
      headers.add(
          new MessageHeader(PushRequest.ROUTING_KEY, routing.getBytes(StandardCharsets.US_ASCII)));
    }
    String method = target.getMethod().isEmpty() ? "POST" : target.getMethod();
    String path = target.getPath().isEmpty() ? "/" : target.getPath();
    require(PushRequest.isMethod(method), "pool.method", "must be " + PushRequest.METHODS);
    require(PushRequest.isPath(path), "pool.path", "must " + PushRequest.PATH);
    return new PushRequest(method, path, headers, body);
  }

  public static PoolName name(String field, String text) {
    return reading(field, "must have " + PoolName.RULE, () -> new PoolName(text));
  }

  /** The pool after which a page begins; null for the first page. */
  static @Nullable PoolName after(ListPoolsRequest request) {
    String token = request.getPageToken();
    return token.isEmpty() ? null : name("page_token", token);
  }

  /** An endpoint that the allow list permits, as far as that is known before DNS is asked. */
  static EndpointUrl url(String field, String text, AllowList allowed) {
    EndpointUrl url = reading(field, "must be " + EndpointUrl.RULE, () -> EndpointUrl.of(text));
    allowed
        .refusal(url)
        .ifPresent(why -> {
          throw new InvalidField(field, "must be where nodes may push to: " + why);
        });
    return url;
  }

  static Pool create(CreatePoolRequest request, AllowList allowed) {
    io.kairos.api.v1.Pool given = request.getPool();
    return pool(name("pool.name", given.getName()), endpoints(given, allowed), given);
  }

  static UnaryOperator<Pool> change(UpdatePoolRequest request, AllowList allowed) {
    FieldMask.Builder named = FieldMask.newBuilder();
    boolean endpoints = false;
    for (String path : request.getUpdateMask().getPathsList()) {
      String field = path.startsWith("pool.") ? path.substring("pool.".length()) : path;
      String first = field.replaceFirst("\\..*", "");
      if (first.equals(ENDPOINTS) || KINDS.contains(first)) {
        endpoints = true;
      } else {
        require(
            FIELDS.contains(first) && FieldMaskUtil.isValid(io.kairos.api.v1.Pool.class, field),
            "update_mask",
            "must be of " + String.join(", ", FIELDS) + " and fields of these");
        named.addPaths(field);
      }
    }
    require(endpoints || named.getPathsCount() > 0, "update_mask", "must name a field");
    io.kairos.api.v1.Pool given = request.getPool();
    // A change that breaks a rule is refused here, before the store is asked.
    @Nullable Endpoints wanted = endpoints ? endpoints(given, allowed) : null;
    FieldUpdate update = new FieldUpdate(given, named.build());
    UnaryOperator<Pool> change =
        before -> {
          io.kairos.api.v1.Pool after = update.into(PoolAnswers.definition(before)).build();
          return pool(before.name(), wanted == null ? before.endpoints() : wanted, after);
        };
    var _ = change.apply(Pool.of(name("pool.name", given.getName()), new Endpoints.Registered()));
    return change;
  }

  /** A pool with these endpoints; all else is as given, or the default where it is not. */
  private static Pool pool(PoolName name, Endpoints endpoints, io.kairos.api.v1.Pool given) {
    @Nullable String tls = tls(given);
    if (tls != null) {
      requireHttps(endpoints);
    }
    return new Pool(
        name,
        endpoints,
        PoolAnswers.ROUTINGS.read("pool.routing", given.getRouting(), EndpointRouting.LEAST_LOADED),
        ejection(given),
        healthPath(given),
        duration(
            given,
            "pool.request_timeout",
            Duration.ofMillis(1),
            Pool.LONGEST_REQUEST,
            Pool.DEFAULT_REQUEST_TIMEOUT),
        duration(
            given,
            "pool.completion_timeout",
            Duration.ofSeconds(1),
            Pool.LONGEST_COMPLETION,
            Pool.DEFAULT_COMPLETION_TIMEOUT),
        given.getAnswersLater(),
        maxInFlight(given),
        tls);
  }

  private static void requireHttps(Endpoints endpoints) {
    List<EndpointUrl> urls = endpoints.urls();
    for (int i = 0; i < urls.size(); i++) {
      String field =
          endpoints instanceof Endpoints.Resolved ? "pool.resolved" : "pool.listed.urls[" + i + "]";
      require(urls.get(i).tls(), field, "must be " + Pool.TLS_URL_RULE);
    }
  }

  private static Endpoints endpoints(io.kairos.api.v1.Pool given, AllowList allowed) {
    return switch (given.getEndpointsCase()) {
      case LISTED -> listed(given.getListed(), allowed);
      case RESOLVED -> {
        EndpointUrl url = url("pool.resolved", given.getResolved(), allowed);
        require(url.address().isEmpty(), "pool.resolved", "must have a name that DNS knows");
        yield new Endpoints.Resolved(url);
      }
      case REGISTERED -> new Endpoints.Registered();
      case ENDPOINTS_NOT_SET ->
          throw new InvalidField(
              "pool.endpoints", "one of listed, resolved and registered must be given");
    };
  }

  private static Endpoints listed(io.kairos.api.v1.Pool.EndpointList given, AllowList allowed) {
    int count = given.getUrlsCount();
    require(count >= 1 && count <= Pool.MOST_ENDPOINTS, "pool.listed.urls", "must be 1 to 1,000");
    List<EndpointUrl> urls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      EndpointUrl url = url("pool.listed.urls[" + i + "]", given.getUrls(i), allowed);
      require(!urls.contains(url), "pool.listed.urls[" + i + "]", "must not be there twice");
      urls.add(url);
    }
    return new Endpoints.Listed(urls);
  }

  private static EndpointEjection ejection(io.kairos.api.v1.Pool given) {
    io.kairos.api.v1.Pool.Ejection wanted = given.getEjection();
    EndpointEjection shipped = EndpointEjection.DEFAULT;
    Duration hour = Duration.ofHours(1);
    int failures = wanted.getFailures() == 0 ? shipped.failures() : wanted.getFailures();
    Duration pause = duration(wanted, "pool.ejection.pause", hour, shipped.pause());
    Duration rampUp = duration(wanted, "pool.ejection.ramp_up", hour, shipped.rampUp());
    return reading(
        "pool.ejection",
        "must have " + EndpointEjection.RULE,
        () -> new EndpointEjection(failures, pause, rampUp));
  }

  private static @Nullable String healthPath(io.kairos.api.v1.Pool given) {
    String path = given.getHealthPath();
    require(
        path.isEmpty() || PushRequest.isPath(path), "pool.health_path", "must " + PushRequest.PATH);
    return path.isEmpty() ? null : path;
  }

  private static @Nullable String tls(io.kairos.api.v1.Pool given) {
    String name = given.getTls();
    require(name.isEmpty() || Pool.isTlsName(name), "pool.tls", "must have " + Pool.TLS_RULE);
    return name.isEmpty() ? null : name;
  }

  private static int maxInFlight(io.kairos.api.v1.Pool given) {
    int most = given.getMaxInFlight();
    require(most >= 0 && most <= Pool.MOST_IN_FLIGHT, "pool.max_in_flight", "must be 1 to 20,000");
    return most == 0 ? Pool.DEFAULT_MAX_IN_FLIGHT : most;
  }
}
