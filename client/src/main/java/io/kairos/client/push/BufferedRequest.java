package io.kairos.client.push;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Lets a servlet read the body of a request that the filter has already read. */
final class BufferedRequest extends HttpServletRequestWrapper {
  private final byte[] body;

  BufferedRequest(HttpServletRequest request, byte[] body) {
    super(request);
    this.body = body;
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Bytes(new ByteArrayInputStream(body));
  }

  @Override
  public BufferedReader getReader() {
    String encoding = getCharacterEncoding();
    return new BufferedReader(
        new InputStreamReader(
            getInputStream(),
            encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding)));
  }

  private static final class Bytes extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    Bytes(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return bytes.read(into, offset, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the body has been read already, take it from the stream");
    }
  }
}
