package io.kairos.edge.access;

import com.google.protobuf.Message;
import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.Access.Limit;
import io.kairos.edge.caller.Caller;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.NamedFields.Named;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import java.util.List;
import java.util.Locale;

/** Checks a request of a caller who may use some names only. */
record NameLimit(String method, Caller caller, CallerScope scope, MethodAccess.Needs needs) {
  /** Throws {@link io.grpc.StatusRuntimeException} when the request has a name of others. */
  void check(Message request) {
    if (needs.limit() == Limit.WHOLE) {
      throw CallRefusals.of(
          Refusals.denied(
              method
                  + " is for callers without a limit of names, which the caller "
                  + caller.name()
                  + " has"));
    }
    List<Named> named = needs.names().in(request);
    if (named.isEmpty() && needs.limit() == Limit.NAMED) {
      throw CallRefusals.of(
          Refusals.denied(
              method
                  + " must name what it asks for: the caller "
                  + caller.name()
                  + " may use some names only"));
    }
    for (Named one : named) {
      if (!scope.covers(one.kind(), one.name())) {
        throw CallRefusals.of(
            Refusals.denied(
                "the caller %s may not use the %s %s"
                    .formatted(caller.name(), word(one.kind()), one.name())));
      }
    }
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
