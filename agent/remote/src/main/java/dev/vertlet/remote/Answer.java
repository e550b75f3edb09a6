package dev.vertlet.remote;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * Answer of one call.
 *
 * @param status HTTP status
 */
record Answer(int status, MultiMap headers, Buffer body) {
  boolean ok() {
    return status >= 200 && status < 300;
  }
}
