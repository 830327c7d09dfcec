package io.kairos.edge.audit;

import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.instant;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.AuditServiceGrpc;
import io.kairos.api.v1.ListAuditEntriesRequest;
import io.kairos.api.v1.ListAuditEntriesResponse;
import io.kairos.domain.check.ArgumentCheck;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.call.StoreCalls;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.audit.AuditRecord;
import io.kairos.engine.audit.AuditSearch;
import io.kairos.engine.audit.AuditedCall;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows the audit log. Called on the connections' threads; a call moves to another thread. */
public final class AuditCalls implements BindableService {
  /** A page token: time and number of the last entry of the page before. */
  private static final Pattern TOKEN = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

  private final ReadyNode node;
  private final StoreCalls store;

  public AuditCalls(ReadyNode node, StoreCalls store) {
    this.node = node;
    this.store = store;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(AuditServiceGrpc.getServiceDescriptor())
        .addMethod(AuditServiceGrpc.getListAuditEntriesMethod(), store.unary(this::list))
        .build();
  }

  private ListAuditEntriesResponse list(ListAuditEntriesRequest request) {
    int size = pageSize(request.getPageSize());
    List<AuditRecord> found = node.getAudit().list(query(request, size + 1));
    List<AuditRecord> shown = found.subList(0, Math.min(size, found.size()));
    ListAuditEntriesResponse.Builder answer = ListAuditEntriesResponse.newBuilder();
    shown.forEach(entry -> answer.addEntries(entry(entry)));
    if (found.size() > size) {
      AuditRecord last = shown.getLast();
      answer.setNextPageToken(EpochMicros.of(last.at()) + "-" + last.number());
    }
    return answer.build();
  }

  private static AuditSearch query(ListAuditEntriesRequest request, int limit) {
    Instant from = request.hasNotBefore() ? instant("not_before", request.getNotBefore()) : null;
    Instant to = request.hasBefore() ? instant("before", request.getBefore()) : null;
    require(from == null || to == null || from.isBefore(to), "before", "must be after not_before");
    return new AuditSearch(
        wanted("caller", request.getCaller()),
        wanted("action", request.getAction()),
        wanted("kind", request.getKind()),
        wanted("object", request.getObject()),
        wanted("outcome", request.getOutcome()),
        from,
        to,
        place(request.getPageToken()),
        limit);
  }

  /** Null, which means all, for an empty text. */
  private static @Nullable String wanted(String field, String given) {
    require(
        given.length() <= AuditedCall.LONGEST && ArgumentCheck.isPlain(given),
        field,
        "must have at most 500 characters, and no control characters");
    return given.isEmpty() ? null : given;
  }

  private static AuditSearch.@Nullable Place place(String token) {
    if (token.isEmpty()) {
      return null;
    }
    Matcher place = TOKEN.matcher(token);
    if (!place.matches()) {
      throw new InvalidField("page_token", "must come from the answer to the same question");
    }
    return new AuditSearch.Place(
        EpochMicros.toInstant(Long.parseLong(String.valueOf(place.group(1)))),
        Long.parseLong(String.valueOf(place.group(2))));
  }

  private static io.kairos.api.v1.AuditEntry entry(AuditRecord entry) {
    AuditedCall call = entry.call();
    String caller = call.caller();
    return io.kairos.api.v1.AuditEntry.newBuilder()
        .setNumber(entry.number())
        .setTime(ProtoTime.of(entry.at()))
        .setCaller(caller == null ? "" : caller)
        .setAddress(call.address())
        .setAction(call.action())
        .setKind(call.kind())
        .setObject(call.object())
        .setDetail(call.detail())
        .setOutcome(entry.outcome())
        .setMore(entry.more())
        .build();
  }
}
