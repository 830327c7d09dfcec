package io.kairos.edge.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.List;

/**
 * Refuses HTTP/1 requests of which two readers may see different ends, and closes the connection:
 * {@code Transfer-Encoding} other than exactly {@code chunked}, or beside {@code Content-Length}.
 * Armeria's own decoder drops the length silently, so this one reads the same bytes before it. It
 * leaves a connection alone that speaks HTTP/2.
 */
final class RequestFraming extends HttpRequestDecoder {
  private static final int HTTP2 = 0x50524920; // "PRI "
  private static final String BODY =
      "{\"type\":\"urn:problem-type:kairos:malformed-request\","
          + "\"title\":\"The request is not HTTP that can be read\","
          + "\"status\":400,\"code\":\"BAD_REQUEST\",\"detail\":"
          + "\"transfer-encoding: must be chunked, and without a content-length\"}\n";

  private boolean within;
  private boolean ended;
  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
    if (bytes instanceof ByteBuf buffer && !ended) {
      super.channelRead(context, buffer.retainedDuplicate());
    }
    if (refused) {
      ReferenceCountUtil.release(bytes);
    } else {
      context.fireChannelRead(bytes);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    discardSomeReadBytes();
    context.fireChannelReadComplete();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out)
      throws Exception {
    if (!within && buffer.readableBytes() >= Integer.BYTES) {
      within = true;
      ended = buffer.getInt(buffer.readerIndex()) == HTTP2 && !isHttp1(context);
    }
    if (ended || !within) {
      buffer.skipBytes(ended ? buffer.readableBytes() : 0);
      return;
    }
    super.decode(context, buffer, out);
    drop(context, out);
  }

  /** By TLS the protocol is agreed on before the first byte, and the preface changes nothing. */
  private static boolean isHttp1(ChannelHandlerContext context) {
    SslHandler tls = context.pipeline().get(SslHandler.class);
    return tls != null && !ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol());
  }

  @Override
  protected void decodeLast(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) {
    // Incomplete requests are refused by the decoder that serves.
  }

  private void drop(ChannelHandlerContext context, List<Object> out) {
    for (Object part : out) {
      if (part instanceof LastHttpContent) {
        within = false; // the preface of HTTP/2 may follow an upgrade
      }
      if (part instanceof HttpMessage message
          && !isClear(message.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING))) {
        refuse(context);
      }
      ReferenceCountUtil.release(part);
    }
    out.clear();
  }

  private static boolean isClear(List<String> encodings) {
    return encodings.isEmpty()
        || (encodings.size() == 1 && encodings.getFirst().strip().equalsIgnoreCase("chunked"));
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    message.headers().add(HttpHeaderNames.TRANSFER_ENCODING, "beside a content-length");
  }

  private void refuse(ChannelHandlerContext context) {
    ended = true;
    refused = true;
    String head =
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nconnection: close\r\ncontent-length: "
            + BODY.length()
            + "\r\n\r\n";
    context
        .writeAndFlush(Unpooled.copiedBuffer(head + BODY, US_ASCII))
        .addListener(ChannelFutureListener.CLOSE);
  }
}
