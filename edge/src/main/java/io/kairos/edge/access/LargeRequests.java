package io.kairos.edge.access;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ContextAwareEventLoop;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.common.util.SafeCloseable;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.ServiceRequestContextWrapper;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import org.jspecify.annotations.Nullable;

/**
 * Has large messages of gRPC parsed off the threads of the connections, which must not be held up.
 * Small ones stay where they came: each change of thread costs as much as parsing one of them.
 */
public final class LargeRequests extends SimpleDecoratingHttpService {
  private final EventLoopGroup parsers;

  /**
   * A decorator of unary calls.
   *
   * @param parsers run what a large request begins
   */
  public LargeRequests(HttpService delegate, EventLoopGroup parsers) {
    super(delegate);
    this.parsers = parsers;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    context.clearRequestTimeout(); // the body has its own, and the call sets one when it begins
    return HttpResponse.of(
        request
            .aggregate(context.eventLoop())
            .handle((whole, failure) -> begin(context, request.headers(), whole, failure)));
  }

  private HttpResponse begin(
      ServiceRequestContext context,
      RequestHeaders headers,
      @Nullable AggregatedHttpRequest whole,
      @Nullable Throwable failure) {
    if (whole == null) {
      return begin(
          context,
          HttpRequest.of(headers, StreamMessage.aborted(Exceptions.peel(requireNonNull(failure)))));
    }
    if (whole.content().length() <= RequestSizes.SMALL) {
      return begin(context, whole.toHttpRequest());
    }
    EventLoop parser = parsers.next();
    return HttpResponse.of(
        () -> begin(new ParsedElsewhere(context, parser), whole.toHttpRequest()), parser);
  }

  private HttpResponse begin(ServiceRequestContext context, HttpRequest request) {
    try (SafeCloseable _ = context.push()) {
      return ((HttpService) unwrap()).serve(context, request);
    } catch (Exception e) {
      return HttpResponse.ofFailure(e);
    }
  }

  private static final class ParsedElsewhere extends ServiceRequestContextWrapper {
    private final EventLoop parser;

    ParsedElsewhere(ServiceRequestContext context, EventLoop parser) {
      super(context);
      this.parser = parser;
    }

    @Override
    public ContextAwareEventLoop eventLoop() {
      return ContextAwareEventLoop.of(this, parser);
    }
  }
}
