package io.kairos.server.dist;

import io.kairos.client.handler.FatalFailure;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.nio.file.Path;

/**
 * The main class of a worker with a handler that succeeds and one that fails. It says when they
 * were called, and works until it is killed.
 */
final class SecretWorkerMain {
  static final String PERFORMED = "performed ";

  private SecretWorkerMain() {}

  /**
   * Takes a token file and the addresses of the nodes.
   *
   * @param arguments the file first
   */
  public static void main(String[] arguments) throws InterruptedException {
    Worker worker =
        Worker.builder(arguments[1], arguments[2]).tokenFile(Path.of(arguments[0])).build();
    worker.handle("right", PayloadCodec.utf8(), (_, _) -> say("right"));
    worker.handle(
        "wrong",
        PayloadCodec.utf8(),
        (_, _) -> {
          say("wrong");
          throw new FatalFailure("no luck");
        });
    worker.start();
    worker.join();
  }

  private static void say(String handler) {
    System.out.println(PERFORMED + handler);
  }
}
