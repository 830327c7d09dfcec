package io.kairos.edge.refusal;

import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** The {@link Refusals} as exceptions of gRPC, for the doors. */
public final class CallRefusals {
  /** See {@link Refusals#TOO_LARGE}. */
  public static final String TOO_LARGE = Refusals.TOO_LARGE;

  /** See {@link Refusals#KEY_TAKEN}. */
  public static final String KEY_TAKEN = Refusals.KEY_TAKEN;

  /** See {@link Refusals#STALE_ETAG}. */
  public static final String STALE_ETAG = Refusals.STALE_ETAG;

  private CallRefusals() {}

  /** Translates any failure into the status for the caller. */
  public static StatusRuntimeException of(Throwable cause) {
    return switch (cause) {
      case StatusRuntimeException e -> e;
      case StatusException e -> new StatusRuntimeException(e.getStatus(), e.getTrailers());
      default -> of(Refusals.of(cause));
    };
  }

  private static StatusRuntimeException of(RefusedCall refusal) {
    return StatusProto.toStatusRuntimeException(refusal.status());
  }

  /** See {@link Refusals#noBroker}. */
  public static StatusRuntimeException noBroker(String field) {
    return of(Refusals.noBroker(field));
  }

  /** See {@link Refusals#notReady}. */
  public static StatusRuntimeException notReady() {
    return of(Refusals.notReady());
  }

  /** See {@link Refusals#notYet}. */
  public static StatusRuntimeException notYet(String why) {
    return of(Refusals.notYet(why));
  }

  /** See {@link Refusals#notAudited}. */
  public static StatusRuntimeException notAudited() {
    return of(Refusals.notAudited());
  }

  /** See {@link Refusals#tooMuch}. */
  public static StatusRuntimeException tooMuch() {
    return of(Refusals.tooMuch());
  }

  /** See {@link Refusals#noBytesLeft}. */
  public static StatusRuntimeException noBytesLeft() {
    return of(Refusals.noBytesLeft());
  }

  /** See {@link Refusals#tooLarge}. */
  public static StatusRuntimeException tooLarge(long most) {
    return of(Refusals.tooLarge(most));
  }

  /** See {@link Refusals#tooManyElements}. */
  public static StatusRuntimeException tooManyElements(int most) {
    return of(Refusals.tooManyElements(most));
  }

  /** See {@link Refusals#tooSlow}. */
  public static StatusRuntimeException tooSlow(long seconds) {
    return of(Refusals.tooSlow(seconds));
  }

  /** See {@link Refusals#compressed}. */
  public static StatusRuntimeException compressed(String encoding) {
    return of(Refusals.compressed(encoding));
  }

  /** See {@link Refusals#tooManyWrongTokens}. */
  public static StatusRuntimeException tooManyWrongTokens() {
    return of(Refusals.tooManyWrongTokens());
  }

  /** See {@link Refusals#invalid}. */
  public static StatusRuntimeException invalid(String why) {
    return of(Refusals.invalid(why));
  }

  /** See {@link Refusals#tooMuch}. */
  public static StatusRuntimeException tooMuch(String why) {
    return of(Refusals.tooMuch(why));
  }

  /** See {@link Refusals#inDoubt}. */
  public static StatusRuntimeException inDoubt(String why) {
    return of(Refusals.inDoubt(why));
  }

  /** See {@link Refusals#stopped}. */
  public static StatusRuntimeException stopped(String why) {
    return of(Refusals.stopped(why));
  }

  /** See {@link Refusals#full}. */
  public static StatusRuntimeException full(String why) {
    return of(Refusals.full(why));
  }

  /** See {@link Refusals#notFound}. */
  public static StatusRuntimeException notFound(String why) {
    return of(Refusals.notFound(why));
  }

  /** See {@link Refusals#exists}. */
  public static StatusRuntimeException exists(String why) {
    return of(Refusals.exists(why));
  }

  /** See {@link Refusals#notInState}. */
  public static StatusRuntimeException notInState(String why) {
    return of(Refusals.notInState(why));
  }

  /** See {@link Refusals#unauthenticated}. */
  public static StatusRuntimeException unauthenticated(String why) {
    return of(Refusals.unauthenticated(why));
  }

  /** See {@link Refusals#denied}. */
  public static StatusRuntimeException denied(String why) {
    return of(Refusals.denied(why));
  }
}
