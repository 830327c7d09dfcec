package io.kairos.client.push;

import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;

/**
 * Decrypts the bodies of pushes for a {@link Receiver}, and encrypts its results and the texts of
 * its failures. A result that is too long to be kept encrypted fails the execution for good, after
 * its effect. Thread-safe.
 */
public final class EncryptedReceiver implements Receiver {
  private final EncryptedPayloads payloads;
  private final PayloadTarget pool;
  private final Receiver receiver;

  /**
   * @param pool name of the pool that pushes, to which payloads are bound
   */
  public EncryptedReceiver(EncryptedPayloads payloads, String pool, Receiver receiver) {
    this.payloads = payloads;
    this.pool = PayloadTarget.pool(pool);
    this.receiver = receiver;
  }

  @Override
  public PushReply receive(Push push) throws Exception {
    Push open;
    try {
      open = push.with(payloads.decrypt(pool, push.body()));
    } catch (PayloadDecryptionException e) {
      String text = "the payload cannot be decrypted: " + e.getMessage();
      if (e.reason() == PayloadDecryptionException.Reason.TAMPERED) {
        throw new FatalFailure(text, e);
      }
      throw new RetryLater(text, null, e);
    }
    PushReply reply;
    try {
      reply = receiver.receive(open);
    } catch (FatalFailure e) {
      throw new FatalFailure(error(push, e), e);
    } catch (RetryLater e) {
      throw new RetryLater(error(push, e), e.delay().orElse(null), e);
    } catch (InterruptedException | Snooze e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(error(push, e), e);
    }
    return encrypted(push, reply);
  }

  private PushReply encrypted(Push push, PushReply reply) {
    if (reply.isLater() || reply.result().isEmpty()) {
      return reply;
    }
    try {
      return PushReply.done(payloads.encryptResult(pool, push.executionId(), reply.result()));
    } catch (InvalidRequestException e) {
      throw new FatalFailure("performed, but its " + e.getMessage(), e);
    }
  }

  private String error(Push push, Exception failure) {
    return payloads.encryptError(pool, push.executionId(), HttpAnswer.of(failure).text());
  }
}
