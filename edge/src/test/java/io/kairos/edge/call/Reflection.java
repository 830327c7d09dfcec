package io.kairos.edge.call;

import io.grpc.Channel;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Asks a server by reflection, as grpcurl does. */
final class Reflection {
  private Reflection() {}

  static ServerReflectionResponse ask(Channel channel, ServerReflectionRequest request)
      throws InterruptedException, ExecutionException {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable cause) {
                    answer.completeExceptionally(cause);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(request);
    ServerReflectionResponse response = answer.get();
    requests.onCompleted();
    return response;
  }

  static List<String> services(Channel channel) throws InterruptedException, ExecutionException {
    return ask(channel, ServerReflectionRequest.newBuilder().setListServices("").build())
        .getListServicesResponse()
        .getServiceList()
        .stream()
        .map(ServiceResponse::getName)
        .toList();
  }
}
