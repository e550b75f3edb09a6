package dev.vertlet.kube;

import io.vertx.core.buffer.Buffer;

/**
 * A successful answer (2xx).
 *
 * @param contentType as the server sent it, empty when it sent none
 */
public record KubeResponse(int status, String contentType, Buffer body) {}
