package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.metrics.ResourceMetrics;
import dev.vertlet.apiserver.registry.Resource;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;

/** Serves {@code metrics.k8s.io}: get and list of what is measured when it is asked for. */
public final class MetricsHandler {
  private final ResourceMetrics metrics;
  private final Clock clock;

  /**
   * @param clock the time that ages in tables count from
   */
  public MetricsHandler(ResourceMetrics metrics, Clock clock) {
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Whether a request is about this API. */
  static boolean serves(RequestInfo info) {
    return info.isResource() && info.apiVersion().equals(ResourceMetrics.API_VERSION);
  }

  /** Answers now or later, failures included. */
  void serve(Exchange exchange) {
    ApiRequest request = exchange.request();
    Resource resource =
        ResourceMetrics.find(request.resource()).orElseThrow(ApiException::noSuchResource);
    check(resource, request);
    boolean list = request.verb().equals("list");
    Representation form =
        Representation.negotiate(
            request, resource, list ? Form.Shape.LIST : Form.Shape.OBJECT, clock);
    Future<Buffer> body =
        list
            ? metrics.list(resource, request.namespace(), request::parameter).map(form::list)
            : metrics.get(resource, request.namespace(), request.name()).map(form::object);
    body.onSuccess(bytes -> exchange.answer(200, form.encoding().mediaType(), bytes))
        .onFailure(
            e ->
                exchange.fail(
                    e instanceof ApiException refused
                        ? refused
                        : ApiException.internal(String.valueOf(e.getMessage()))));
  }

  private static void check(Resource resource, ApiRequest request) {
    boolean namespaced = resource.type().namespaced();
    if (!request.subresource().isEmpty() || (!namespaced && !request.namespace().isEmpty())) {
      throw ApiException.noSuchResource();
    }
    boolean list = request.verb().equals("list");
    boolean get = request.verb().equals("get") && namespaced == !request.namespace().isEmpty();
    if (!list && !get) {
      throw ApiException.methodNotAllowed();
    }
  }
}
