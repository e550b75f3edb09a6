package dev.vertlet.remote.client;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * Answer of one call.
 *
 * @param status HTTP status
 */
public record Answer(int status, MultiMap headers, Buffer body) {
  public boolean ok() {
    return status >= 200 && status < 300;
  }
}
