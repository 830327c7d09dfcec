package io.kairos.edge.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.MethodDescriptor;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

class BoundedMessagesTest {
  private static final MethodDescriptor<?, ?> METHOD =
      BoundedMessages.of(new TaskServiceGrpc.TaskServiceImplBase() {})
          .getMethod(TaskServiceGrpc.getBatchScheduleTasksMethod().getFullMethodName())
          .getMethodDescriptor();

  private static Object parse(byte[] message) {
    return METHOD.parseRequest(new ByteArrayInputStream(message));
  }

  @Test
  void groups_are_refused_because_what_is_in_them_would_be_kept_uncounted() {
    byte[] group = {0x7b, 0x08, 0, 0x7c};

    assertThatThrownBy(() -> parse(group))
        .hasMessageContaining("INVALID_ARGUMENT: a request has no groups");
  }

  @Test
  void unknown_fields_are_passed_over() {
    byte[] unknown = {0x78, 1};

    assertThat(parse(unknown)).isInstanceOf(BatchScheduleTasksRequest.class);
  }
}
