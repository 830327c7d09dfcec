package io.kairos.engine.audit;

import static io.kairos.domain.check.ArgumentCheck.isPlain;
import static io.kairos.domain.check.ArgumentCheck.require;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of the API as the audit log knows it: no payload, no token and nothing else of the
 * request.
 *
 * @param caller the name of the caller; null where none are configured, and for an unknown token
 * @param address from which the call came; empty in an entry that stands for several
 * @param action the method, such as {@code SetPause}; empty in an entry that stands for several
 * @param kind of the object, such as {@code handler}; empty when the request has not been read
 * @param object the name or id of what the call is about; empty as the kind
 * @param detail the part of the object, such as {@code collection=eu}; empty for the whole
 */
public record AuditedCall(
    @Nullable String caller,
    String address,
    String action,
    String kind,
    String object,
    String detail) {
  /** Most characters of each part. */
  public static final int LONGEST = 500;

  public AuditedCall {
    String name = caller == null ? "" : caller;
    for (String part : List.of(name, address, action, kind, object, detail)) {
      require(
          part.length() <= LONGEST && isPlain(part),
          "a part of an audited call has at most 500 characters and no control characters");
    }
  }
}
