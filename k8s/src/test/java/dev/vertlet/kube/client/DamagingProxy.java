package dev.vertlet.kube.client;

import static dev.vertlet.testsupport.Waits.get;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and an API server, and spoils what watches bring: well-formed HTTP whose
 * body is not what the server sent.
 */
final class DamagingProxy {
  /** No event of a test is so long. */
  static final int LONG = 20_000;

  private static final String ERROR =
      "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":%d,\"reason\":\"%s\",\"message\":\"m\"}}\n";

  private final HttpClient upstream;
  private final int upstreamPort;
  private final String accept;
  private HttpServer server;

  /** Where chance comes from; null: all is passed on as it is. */
  private volatile @Nullable Random random; // set by the test thread, read by an event loop

  private DamagingProxy(Vertx vertx, int port, String accept) {
    this.accept = accept;
    this.upstream = vertx.createHttpClient();
    this.upstreamPort = port;
    this.server = vertx.createHttpServer().requestHandler(this::pass);
  }

  /**
   * @param accept what is asked for in place of what clients ask for
   */
  static DamagingProxy to(Vertx vertx, int port, String accept) throws Exception {
    DamagingProxy proxy = new DamagingProxy(vertx, port, accept);
    proxy.server = get(proxy.server.listen(0, "127.0.0.1"));
    return proxy;
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  /** From now on, also on streams that are open. */
  void damage(@Nullable Random chance) {
    random = chance;
  }

  private void pass(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    upstream
        .request(
            new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(upstreamPort)
                .setMethod(request.method())
                .setURI(request.uri()))
        .compose(
            sent -> {
              sent.headers().addAll(request.headers());
              if (request.params().contains("watch")) {
                sent.putHeader("Accept", accept);
              }
              response.closeHandler(v -> sent.reset());
              return sent.send();
            })
        .onSuccess(
            answer -> {
              response.setStatusCode(answer.statusCode());
              response.putHeader("Content-Type", answer.getHeader("Content-Type"));
              response.setChunked(true);
              boolean watch = request.params().contains("watch");
              relay(answer, response, watch ? new Damage(response) : null);
            })
        .onFailure(e -> response.reset());
  }

  private static void relay(
      HttpClientResponse answer, HttpServerResponse response, @Nullable Damage damage) {
    answer.exceptionHandler(e -> end(response));
    answer.endHandler(v -> end(response));
    answer.handler(
        bytes -> {
          if (damage == null) {
            response.write(bytes);
          } else {
            damage.pass(bytes);
          }
        });
  }

  private static void end(HttpServerResponse response) {
    if (!response.ended() && !response.closed()) {
      response.end();
    }
  }

  /** Of one response. */
  private final class Damage {
    private final HttpServerResponse response;

    /** What comes later than what came after it. */
    private Buffer held = Buffer.buffer();

    Damage(HttpServerResponse response) {
      this.response = response;
    }

    void pass(Buffer bytes) {
      Random chance = random;
      if (chance == null) {
        write(bytes);
        return;
      }
      switch (chance.nextInt(13)) {
        case 0 -> write(flipped(bytes, chance));
        case 1 -> {} // dropped
        case 2 -> {
          write(bytes);
          write(bytes);
        }
        case 3 -> {
          write(bytes.getBuffer(0, chance.nextInt(bytes.length())));
          end(response);
        }
        case 4 -> {
          byte[] garbage = new byte[1 + chance.nextInt(40)];
          chance.nextBytes(garbage);
          write(Buffer.buffer(garbage));
          write(bytes);
        }
        case 5 -> write(Buffer.buffer(ERROR.formatted(410, "Expired")));
        case 6 -> write(Buffer.buffer(ERROR.formatted(chance.nextInt(700), "Whatever")));
        case 7 -> write(Buffer.buffer("x".repeat(LONG)));
        case 8 -> held.appendBuffer(bytes);
        default -> {
          for (int at = 0; at < bytes.length(); ) {
            int to = Math.min(bytes.length(), at + 1 + chance.nextInt(200));
            write(bytes.getBuffer(at, to));
            at = to;
          }
        }
      }
    }

    private void write(Buffer bytes) {
      if (!response.ended() && !response.closed()) {
        if (bytes.length() > 0) {
          response.write(bytes);
        }
        if (held.length() > 0 && bytes != held) {
          response.write(held);
        }
      }
      held = Buffer.buffer();
    }

    private static Buffer flipped(Buffer bytes, Random chance) {
      Buffer flipped = bytes.copy();
      for (int i = 0; i <= chance.nextInt(3); i++) {
        int at = chance.nextInt(flipped.length());
        flipped.setByte(at, (byte) (flipped.getByte(at) ^ (1 << chance.nextInt(8))));
      }
      return flipped;
    }
  }
}
