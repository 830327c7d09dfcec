package io.kairos.client.push;

/**
 * Performs pushed executions. Called on the threads of the HTTP server, concurrently. A normal
 * return is success. {@link io.kairos.client.handler.RetryLater} requests a retry, {@link
 * io.kairos.client.handler.FatalFailure} prevents retries, and {@link
 * io.kairos.client.handler.Snooze} puts the execution off without a failure. Every other exception
 * is a failure that is retried.
 *
 * <p>Executions are pushed at least once, because an answer can be lost. {@link RecentExecutions}
 * suppresses repeats within this process. When the effect is in a database, {@link
 * StoredExecutions} suppresses all repeats.
 */
@FunctionalInterface
public interface Receiver {
  PushReply receive(Push push) throws Exception;
}
