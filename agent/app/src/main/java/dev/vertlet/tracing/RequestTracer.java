package dev.vertlet.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.vertx.core.Context;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.context.storage.AccessMode;
import io.vertx.core.spi.context.storage.ContextLocal;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates one span per HTTP request; a served request is the parent of the requests that it causes.
 * Messages of the event bus have no spans: they are the hot path, and their effects show in
 * requests and in {@link PodSpans}.
 */
final class RequestTracer implements VertxTracer<@Nullable Span, @Nullable Span> {
  /** Span of the request that a context serves. */
  private static final ContextLocal<Span> SERVED = ContextLocal.registerLocal(Span.class);

  /** Attributes of Vert.x that contain a query or may end with one. */
  private static final String QUERY = "url.query";

  private static final Set<String> URLS = Set.of("http.url", "url.full");

  private static final TextMapGetter<Iterable<Map.Entry<String, String>>> HEADERS =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Iterable<Map.Entry<String, String>> headers) {
          return () -> new KeyIterator(headers.iterator());
        }

        @Override
        public @Nullable String get(
            @Nullable Iterable<Map.Entry<String, String>> headers, String key) {
          if (headers != null) {
            for (Map.Entry<String, String> header : headers) {
              if (header.getKey().equalsIgnoreCase(key)) {
                return header.getValue();
              }
            }
          }
          return null;
        }
      };

  private record KeyIterator(Iterator<Map.Entry<String, String>> entries)
      implements Iterator<String> {
    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public String next() {
      return entries.next().getKey();
    }
  }

  private final Tracer tracer;
  private final TextMapPropagator propagator;

  RequestTracer(OpenTelemetry telemetry) {
    this.tracer = telemetry.getTracer("dev.vertlet");
    this.propagator = telemetry.getPropagators().getTextMapPropagator();
  }

  Tracer tracer() {
    return tracer;
  }

  @Override
  public <R> @Nullable Span receiveRequest(
      Context context,
      SpanKind kind,
      TracingPolicy policy,
      R request,
      String operation,
      Iterable<Map.Entry<String, String>> headers,
      TagExtractor<R> tags) {
    if (request instanceof Message) {
      return null;
    }
    Span span =
        start(
            operation,
            io.opentelemetry.api.trace.SpanKind.SERVER,
            propagator.extract(io.opentelemetry.context.Context.root(), headers, HEADERS),
            request,
            tags);
    ((ContextInternal) context).putLocal(SERVED, AccessMode.CONCURRENT, span);
    return span;
  }

  @Override
  public <R> void sendResponse(
      Context context,
      R response,
      @Nullable Span span,
      @Nullable Throwable failure,
      TagExtractor<R> tags) {
    end(response, span, failure, tags);
  }

  @Override
  public <R> @Nullable Span sendRequest(
      Context context,
      SpanKind kind,
      TracingPolicy policy,
      R request,
      String operation,
      BiConsumer<String, String> headers,
      TagExtractor<R> tags) {
    if (request instanceof Message) {
      return null;
    }
    Span served = ((ContextInternal) context).getLocal(SERVED, AccessMode.CONCURRENT);
    io.opentelemetry.context.Context parent = io.opentelemetry.context.Context.root();
    Span span =
        start(
            operation,
            io.opentelemetry.api.trace.SpanKind.CLIENT,
            served == null ? parent : parent.with(served),
            request,
            tags);
    propagator.inject(parent.with(span), headers, BiConsumer::accept);
    return span;
  }

  @Override
  public <R> void receiveResponse(
      Context context,
      @Nullable R response,
      @Nullable Span span,
      @Nullable Throwable failure,
      TagExtractor<R> tags) {
    end(response, span, failure, tags);
  }

  private <R> Span start(
      String operation,
      io.opentelemetry.api.trace.SpanKind kind,
      io.opentelemetry.context.Context parent,
      R request,
      TagExtractor<R> tags) {
    SpanBuilder builder = tracer.spanBuilder(operation).setSpanKind(kind).setParent(parent);
    tags.extractTo(request, (name, value) -> describe(builder, name, value));
    return builder.startSpan();
  }

  /** Adds an attribute without query, which may hold exec's command or a URL's token. */
  private static void describe(SpanBuilder span, String name, String value) {
    if (name.equals(QUERY)) {
      return;
    }
    int query = URLS.contains(name) ? value.indexOf('?') : -1;
    span.setAttribute(name, query < 0 ? value : value.substring(0, query));
  }

  private static <R> void end(
      @Nullable R response,
      @Nullable Span span,
      @Nullable Throwable failure,
      TagExtractor<R> tags) {
    if (span == null) {
      return;
    }
    if (response != null) {
      tags.extractTo(response, span::setAttribute);
    }
    if (failure != null) {
      span.recordException(failure);
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }
}
