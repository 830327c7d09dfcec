package io.kairos.examples;

import static java.util.Objects.requireNonNull;

import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * An executor process whose tasks end only when several of them are performed at once. It ends with
 * its controller, however that ends.
 */
final class TogetherExecutor {
  static final String HANDLER = "together";
  static final int AT_ONCE = 3;

  private TogetherExecutor() {}

  public static void main(String[] arguments) {
    ProcessHandle controller = ProcessHandle.current().parent().orElseThrow();
    CyclicBarrier together = new CyclicBarrier(AT_ONCE);
    Worker worker =
        Worker.builder(requireNonNull(System.getenv("KAIROS_ADDRESS")))
            .name(requireNonNull(System.getenv("KAIROS_WORKER")))
            .concurrency(AT_ONCE)
            .build();
    worker.handle(
        HANDLER, PayloadCodec.bytes(), (payload, context) -> together.await(1, TimeUnit.MINUTES));
    worker.start();
    controller.onExit().join();
    System.exit(1);
  }
}
