package dev.vertlet.apiserver.kubelet;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a kubelet says to an upgrade, taken from the bytes as they arrive: the head of a switch of
 * protocols with whatever came after it, or the whole of any other answer. Not thread-safe.
 */
final class UpgradeAnswer {
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int MOST_HEAD = 64 * 1024;
  private static final int MOST_BODY = 1024 * 1024;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");

  private final Buffer bytes = Buffer.buffer();
  private int code;
  private boolean whole;
  private Buffer body = Buffer.buffer();
  private String contentType = "";

  /** Decodes an answer that is no switch. */
  private final EmbeddedChannel refusal =
      new EmbeddedChannel(new HttpResponseDecoder(), new HttpObjectAggregator(MOST_BODY));

  /**
   * Takes the next bytes.
   *
   * @return whether the answer is complete
   * @throws IllegalArgumentException when it is no HTTP/1 answer
   */
  boolean take(Buffer more) {
    if (code != 0) {
      return code == SWITCHING_PROTOCOLS || refused(more);
    }
    bytes.appendBuffer(more);
    String text = bytes.toString(StandardCharsets.ISO_8859_1);
    int end = text.indexOf(END_OF_HEAD);
    if (end < 0) {
      if (bytes.length() > MOST_HEAD) {
        throw new IllegalArgumentException("malformed HTTP response: its head is too long");
      }
      return false;
    }
    code = statusCode(text.substring(0, text.indexOf("\r\n")));
    return code == SWITCHING_PROTOCOLS || refused(bytes);
  }

  private static int statusCode(String line) {
    Matcher matcher = STATUS_LINE.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("malformed HTTP response \"" + line + "\"");
    }
    return Integer.parseInt(matcher.group(1));
  }

  private boolean refused(Buffer more) {
    if (whole) {
      return true;
    }
    refusal.writeInbound(Unpooled.wrappedBuffer(more.getBytes()));
    return complete();
  }

  private boolean complete() {
    if (refusal.readInbound() instanceof FullHttpResponse answer) {
      body = Buffer.buffer(ByteBufUtil.getBytes(answer.content()));
      contentType = answer.headers().get("content-type", "");
      answer.release();
      refusal.finishAndReleaseAll();
      whole = true;
    }
    return whole;
  }

  /** The kubelet has closed the connection. Returns whether the answer is complete so. */
  boolean end() {
    if (code == 0 || code == SWITCHING_PROTOCOLS) {
      refusal.finishAndReleaseAll();
      return code != 0;
    }
    refusal.finish();
    return whole || complete();
  }

  boolean isSwitch() {
    return code == SWITCHING_PROTOCOLS;
  }

  int code() {
    return code;
  }

  /** All bytes of a switch: its head and what followed it. */
  Buffer bytes() {
    return bytes;
  }

  /** Gives a refusal to the client, whose connection ends with it. */
  Future<Void> passBack(HttpServerRequest request) {
    HttpServerResponse response = request.response().setStatusCode(code);
    response.putHeader("connection", "close");
    if (!contentType.isEmpty()) {
      response.putHeader("content-type", contentType);
    }
    return response.end(body).eventually(() -> request.connection().close());
  }
}
