package dev.vertlet.simulated.stream;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers the HTTP/1 requests of one connection in order, all with the same text. A request that it
 * cannot parse closes the connection.
 */
final class HttpResponder {
  private static final List<String> METHODS =
      List.of("GET ", "HEAD ", "POST ", "PUT ", "PATCH ", "DELETE ", "OPTIONS ");

  private static final int LONGEST_HEAD = 16 * 1024;
  private static final String HEAD_END = "\r\n\r\n";
  private static final int END = HEAD_END.length();

  private final String text;
  private final StringBuilder head = new StringBuilder();
  private long body;
  private boolean closed;

  /** Response to the request whose body is being skipped. */
  private String answer = "";

  /**
   * @param text body of every response
   */
  HttpResponder(String text) {
    this.text = text;
  }

  /**
   * Returns whether the first bytes are HTTP; null when more bytes are needed.
   *
   * @param begin first bytes of the connection
   */
  static @Nullable Boolean speaks(Buffer begin) {
    String start = begin.toString(StandardCharsets.ISO_8859_1);
    boolean open = false;
    for (String method : METHODS) {
      if (start.startsWith(method)) {
        return true;
      }
      open |= method.startsWith(start);
    }
    return open ? null : Boolean.FALSE;
  }

  /** Returns whether the connection must be closed after the last response. */
  boolean closed() {
    return closed;
  }

  /** Parses received bytes and returns the responses to send. */
  Buffer take(Buffer received) {
    Buffer answers = Buffer.buffer();
    int at = 0;
    while (at < received.length() && !closed) {
      if (body > 0) {
        int skipped = (int) Math.min(body, received.length() - at);
        body -= skipped;
        at += skipped;
        answered(answers);
        continue;
      }
      head.append((char) (received.getByte(at++) & 0xff));
      int length = head.length();
      if (length >= END && head.indexOf(HEAD_END, length - END) >= 0) {
        String whole = head.toString();
        head.setLength(0);
        request(whole, answers);
      } else if (length >= LONGEST_HEAD) {
        refuse("431 Request Header Fields Too Large", answers);
      }
    }
    return answers;
  }

  private void request(String whole, Buffer answers) {
    String[] lines = whole.strip().split("\r\n");
    String[] first = lines[0].split(" ");
    if (first.length != 3 || !first[2].matches("HTTP/1\\.[01]")) {
      refuse("400 Bad Request", answers);
      return;
    }
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.put(
            lines[i].substring(0, colon).strip().toLowerCase(Locale.ROOT),
            lines[i].substring(colon + 1).strip());
      }
    }
    String length = headers.getOrDefault("content-length", "0");
    if (headers.containsKey("transfer-encoding")) {
      refuse("411 Length Required", answers);
      return;
    }
    if (!length.matches("[0-9]{1,18}")) {
      refuse("400 Bad Request", answers);
      return;
    }
    String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
    boolean last =
        first[2].equals("HTTP/1.0") ? !connection.equals("keep-alive") : connection.equals("close");
    if ("100-continue".equalsIgnoreCase(headers.get("expect"))) {
      answers.appendString("HTTP/1.1 100 Continue\r\n\r\n");
    }
    body = Long.parseLong(length);
    answer = answer("200 OK", first[0].equals("HEAD"), last);
    answered(answers);
  }

  /** Appends the response to a complete request. */
  private void answered(Buffer answers) {
    if (body == 0) {
      answers.appendString(answer);
      closed = answer.contains("\r\nConnection: close\r\n");
    }
  }

  private void refuse(String status, Buffer answers) {
    answers.appendString(answer(status, false, true));
    closed = true;
  }

  private String answer(String status, boolean headOnly, boolean last) {
    String content = status.startsWith("200") ? text : status + "\n";
    return "HTTP/1.1 "
        + status
        + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
        + content.getBytes(StandardCharsets.UTF_8).length
        + (last ? "\r\nConnection: close\r\n\r\n" : "\r\nConnection: keep-alive\r\n\r\n")
        + (headOnly ? "" : content);
  }
}
