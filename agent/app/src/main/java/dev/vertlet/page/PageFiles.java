package dev.vertlet.page;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Static files of the page, which contain no data of the agent. The content security policy sent
 * with each file forbids loading anything else.
 */
final class PageFiles {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private PageFiles() {}

  static void mount(Router router) {
    mount(router, "/", "page.html", "text/html; charset=utf-8");
    mount(router, "/page/page.css", "page.css", "text/css; charset=utf-8");
    mount(router, "/page/page.js", "page.js", "text/javascript; charset=utf-8");
  }

  private static void mount(Router router, String path, String file, String type) {
    Buffer content = read(file);
    router.get(path).handler(call -> send(call, type, content));
    router
        .head(path)
        .handler(
            call ->
                secured(call.response(), type)
                    .putHeader(HttpHeaders.CONTENT_LENGTH, "" + content.length())
                    .end());
  }

  private static void send(RoutingContext call, String type, Buffer content) {
    secured(call.response(), type).end(content);
  }

  /** Sets the security headers of a response. */
  static HttpServerResponse secured(HttpServerResponse response, String type) {
    return response
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("X-Content-Type-Options", "nosniff");
  }

  private static Buffer read(String file) {
    try (InputStream in = PageFiles.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the agent's jar lacks the page's " + file);
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
