package io.kairos.edge.rest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ServerServiceDefinition;
import io.kairos.edge.access.CallBounds;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Serves the OpenAPI document of the services that this process serves. The first request makes it,
 * off the threads of the connections; it is kept from then on.
 */
public final class OpenApiPage implements HttpService {
  private final List<ServerServiceDefinition> services;

  @GuardedBy("this")
  private @Nullable HttpData text;

  public OpenApiPage(List<ServerServiceDefinition> services) {
    this.services = List.copyOf(services);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    LongPredicate room = CallBounds.answerRoom();
    return HttpResponse.of(
        CompletableFuture.supplyAsync(this::text, context.blockingTaskExecutor().withoutContext())
            .thenApply(text ->
                room.test(text.length())
                    ? HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, text)
                    : RestErrors.of(CallRefusals.of(Refusals.noBytesLeft()))));
  }

  private synchronized HttpData text() {
    HttpData made = text;
    if (made == null) {
      made = HttpData.ofUtf8(OpenApi.of(services) + "\n");
      text = made;
    }
    return made;
  }
}
