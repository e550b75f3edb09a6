package dev.vertlet.sandboxes;

import dev.vertlet.server.BrowserCheck;
import dev.vertlet.server.HostCheck;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests that web pages make through the browser of an authorized user. A page can reach
 * a server on the browser's machine and, with DNS rebinding, read its responses. However, it has no
 * token and cannot send JSON without a preflight request. Uses no I/O.
 */
final class PageCheck {
  private static final String JSON = "application/json";

  private final @Nullable HostCheck hosts;

  record Refusal(int status, String reason, String message) {}

  PageCheck(SandboxConfig.Api api) {
    // browsers do not add bearer tokens by themselves, so with authentication any Host is accepted
    this.hosts =
        api.authenticate() ? null : new HostCheck(List.of(api.address(), host(api.advertise())));
  }

  private static String host(String url) {
    return url.isEmpty() ? "" : Objects.requireNonNullElse(URI.create(url).getHost(), "");
  }

  /** Checks the headers of any request; empty when it is accepted. */
  Optional<Refusal> ofHead(HttpServerRequest request) {
    Optional<Refusal> wrongHost =
        hosts == null
            ? Optional.empty()
            : hosts.problem(request).map(why -> new Refusal(421, "MisdirectedRequest", why));
    return wrongHost.isPresent()
        ? wrongHost
        : BrowserCheck.problem(request).map(why -> new Refusal(403, "Forbidden", why));
  }

  /** Checks a request that must contain a JSON document. */
  static Optional<Refusal> ofContent(HttpServerRequest request) {
    List<String> types = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    boolean json =
        types.size() == 1
            && types.get(0).split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON);
    return json
        ? Optional.empty()
        : Optional.of(new Refusal(415, "UnsupportedMediaType", "the Content-Type must be " + JSON));
  }
}
