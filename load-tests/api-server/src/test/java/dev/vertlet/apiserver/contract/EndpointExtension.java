package dev.vertlet.apiserver.contract;

import static dev.vertlet.testsupport.Waits.get;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.ControllerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a contract test the server it runs against: that of an enclosing {@link Source}, else the
 * one named by {@code vertlet.contract.url} and {@code vertlet.contract.token}, else one embedded
 * server for all of them.
 */
public final class EndpointExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(EndpointExtension.class);

  /** A whole control plane; pods on nodes that do not exist live as long as on a real one. */
  private static final ApiServerOptions OPTIONS =
      ApiServerOptions.defaults()
          .withControllers(ControllerOptions.all().withPodGcDelay(Duration.ofSeconds(40)));

  /** A test class that holds the tests nested in it against a server of its own choice. */
  public interface Source {
    /** Asked for each test. */
    Api api();
  }

  @SuppressWarnings("deprecation") // AutoCloseable in a store needs JUnit 6
  private record Endpoint(Vertx vertx, Api api) implements CloseableResource, AutoCloseable {
    static Endpoint open() {
      Vertx vertx = Vertx.vertx();
      String url = System.getProperty("vertlet.contract.url", "");
      if (!url.isEmpty()) {
        String token = System.getProperty("vertlet.contract.token", "");
        return new Endpoint(vertx, new Api(vertx, url, token, HttpVersion.HTTP_2));
      }
      EmbeddedApiServer server = get(EmbeddedApiServer.start(vertx, OPTIONS));
      return new Endpoint(vertx, new Api(vertx, server.url(), server.token(), HttpVersion.HTTP_2));
    }

    @Override
    public void close() throws Exception {
      get(vertx.close());
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Api.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRequiredTestInstances()
        .findInstance(Source.class)
        .map(Source::api)
        .orElseGet(() -> shared(context).api());
  }

  private static Endpoint shared(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Endpoint.class, key -> Endpoint.open(), Endpoint.class);
  }
}
