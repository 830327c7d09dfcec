package io.kairos.client.push;

/**
 * Does what is pushed. Called on the threads of the HTTP server, several at a time. A normal return
 * ends the execution; {@link io.kairos.client.worker.RetryLater} asks for another attempt, {@link
 * io.kairos.client.worker.FatalFailure} for none; every other exception is a failure that is tried
 * again.
 *
 * <p>Executions are pushed at least once: an answer can be lost. What has been done in this process
 * is kept away by {@link RecentExecutions}; where the effect is in a database, {@link
 * StoredExecutions} keeps it away for good.
 */
@FunctionalInterface
public interface Receiver {
  Reply receive(Push push) throws Exception;
}
