package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.util.SafeCloseable;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PresentCallerTest {
  private static final CallerScope SOME =
      new CallerScope(Set.of("a"), Set.of(), Set.of(), Set.of(), Set.of());

  private final ServiceRequestContext request =
      ServiceRequestContext.of(HttpRequest.of(HttpMethod.POST, "/"));

  @Test
  void without_a_call_nobody_may_use_any_name() {
    assertThatThrownBy(PresentCaller::scope).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_call_that_has_not_passed_the_gate_may_use_no_name() {
    try (SafeCloseable _ = request.push()) {
      assertThatThrownBy(PresentCaller::scope).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void the_gate_says_what_a_call_may_use() {
    try (SafeCloseable _ = request.push()) {
      PresentCaller.set(new Caller("one", Map.of(), List.of()), SOME);
      assertThat(PresentCaller.scope()).isEqualTo(SOME);
    }
  }

  @Test
  void without_callers_all_names_may_be_used() {
    try (SafeCloseable _ = request.push()) {
      PresentCaller.setNone();
      assertThat(PresentCaller.scope()).isEqualTo(CallerScope.WHOLE);
    }
  }
}
