package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import io.vertx.core.buffer.Buffer;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;

/** What clients are told when a kubelet cannot be reached, or refuses. */
final class Failures {
  /** The part of a kubelet's words that is passed on, in bytes. */
  private static final int MOST_WORDS = 50_000;

  private Failures() {}

  /** Of a connection that did not come about. */
  static String dial(Location to, Throwable cause) {
    if (cause instanceof UnknownHostException) {
      return "dial tcp: lookup %s: no such host".formatted(to.host());
    }
    String why = String.valueOf(cause.getMessage());
    if (why.contains("timed out") || cause instanceof TimeoutException) {
      why = "i/o timeout";
    } else if (cause instanceof NoRouteToHostException) {
      why = "connect: no route to host";
    } else if (cause instanceof ConnectException) {
      why = "connect: connection refused";
    }
    return "dial tcp %s: %s".formatted(to.authority(), why);
  }

  /** A failure that is no Status yet: the real server answers such with 500 and no reason. */
  static ApiException plain(String message) {
    return new ApiException(500, "", message);
  }

  /** The Status that stands for a kubelet's answer other than success. */
  static ApiException ofAnswer(int code, Buffer body, String resource, String name) {
    String words = body.slice(0, Math.min(body.length(), MOST_WORDS)).toString();
    return switch (code) {
      case 400 -> ApiException.badRequest(words);
      case 500 -> ApiException.internal(words);
      default -> ApiException.ofServer(code, words, resource, name);
    };
  }
}
