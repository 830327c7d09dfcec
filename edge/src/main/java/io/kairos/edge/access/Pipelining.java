package io.kairos.edge.access;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection of HTTP/1.1 once more than {@value #MOST} of its requests have no answer, and
 * after its first 429: to answer a caller who reads nothing costs the node more than the caller.
 * What has come by then is answered, what comes later is dropped. Stands right behind the codec of
 * its connection, on whose thread it runs.
 */
final class Pipelining extends ChannelDuplexHandler {
  /** Hardly any client sends a second request before it has the answer to the first. */
  static final int MOST = 16;

  /** For the rest of a body that was refused: its caller reads the refusal after it. */
  private static final long REST_WITHIN_SECONDS = 20;

  private final Runnable stopReading;

  /** Requests whose answer has not begun. */
  private int unbegun;

  /** Requests whose answer has not been handed to the operating system as a whole. */
  private int unanswered;

  /** True while the body of the latest request comes. */
  private boolean bodyComes;

  private boolean refused;
  private boolean ends;
  private boolean drops;

  Pipelining(Runnable stopReading) {
    this.stopReading = stopReading;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      drops |= ends;
      if (!drops) {
        unbegun++;
        unanswered++;
        bodyComes = hasBody(request);
      }
    }
    if (drops) {
      ReferenceCountUtil.release(message);
      return;
    }
    bodyComes &= !(message instanceof LastHttpContent);
    context.fireChannelRead(message);
    endIfDue(context);
  }

  private static boolean hasBody(HttpRequest request) {
    return HttpUtil.isTransferEncodingChunked(request)
        || !request.headers().get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0");
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    ChannelPromise written = promise;
    boolean isInterim =
        message instanceof HttpResponse response
            && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (!isInterim && message instanceof HttpResponse response) {
      begins(context, response);
    }
    if (!isInterim && message instanceof LastHttpContent) {
      written =
          promise
              .unvoid()
              .addListener(_ -> {
                unanswered--;
                endIfDue(context);
              });
    }
    var _ = context.write(message, written);
  }

  private void begins(ChannelHandlerContext context, HttpResponse answer) {
    unbegun--;
    if (answer.status().equals(HttpResponseStatus.TOO_MANY_REQUESTS)) {
      refused = true;
      if (bodyComes) {
        var _ =
            context
                .executor()
                .schedule(
                    () -> {
                      var _ = context.close();
                    },
                    REST_WITHIN_SECONDS,
                    TimeUnit.SECONDS);
      }
    }
    endIfDue(context);
    if ((ends || refused) && unbegun == 0) {
      answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
  }

  private void endIfDue(ChannelHandlerContext context) {
    if (!ends && !bodyComes && (refused || unanswered > MOST)) {
      ends = true;
      stopReading.run();
    }
    if (ends && unanswered == 0) {
      var _ = context.close();
    }
  }
}
