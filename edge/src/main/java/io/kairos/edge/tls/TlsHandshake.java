package io.kairos.edge.tls;

import static java.util.Objects.requireNonNull;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose handshake is not complete after {@value #WITHIN_SECONDS} s, or whose
 * client's certificate has expired: Java trusts a certificate that is itself among the trusted ones
 * for ever, and a resumed session is not checked again. Stands right behind the handler of TLS, on
 * whose thread it runs.
 */
public final class TlsHandshake extends ChannelInboundHandlerAdapter {
  private static final int WITHIN_SECONDS = 10;

  private final InstantSource clock;
  private final HandshakeFailures failures;
  private @Nullable ScheduledFuture<?> end;

  public TlsHandshake(InstantSource clock, HandshakeFailures failures) {
    this.clock = clock;
    this.failures = failures;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    end =
        context
            .executor()
            .schedule(
                () -> end(context, "it was not complete after " + WITHIN_SECONDS + " s"),
                WITHIN_SECONDS,
                TimeUnit.SECONDS);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    var _ = requireNonNull(end).cancel(false);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent completion) {
      var _ = requireNonNull(end).cancel(false);
      Throwable cause = completion.cause();
      SslHandler tls = context.pipeline().get(SslHandler.class);
      if (cause != null && !(cause instanceof ClosedChannelException)) { // probes only connect
        count(context, String.valueOf(cause.getMessage()));
      } else if (cause == null && tls != null && isExpired(tls.engine().getSession())) {
        end(context, "the client's certificate has expired");
        return;
      }
    }
    context.fireUserEventTriggered(event);
  }

  private void end(ChannelHandlerContext context, String why) {
    count(context, why);
    var _ = context.close();
  }

  private void count(ChannelHandlerContext context, String why) {
    if (context.channel().remoteAddress() instanceof InetSocketAddress place) {
      failures.failed(requireNonNull(place.getAddress()), why);
    }
  }

  private boolean isExpired(SSLSession session) {
    Certificate shown;
    try {
      shown = session.getPeerCertificates()[0];
    } catch (SSLPeerUnverifiedException _) { // the client has shown none
      return false;
    }
    return !(shown instanceof X509Certificate certificate)
        || clock.instant().isAfter(certificate.getNotAfter().toInstant());
  }
}
