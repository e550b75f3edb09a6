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
 * Refuses what web pages can send by the browser of somebody who may claim. A page can reach a
 * server on the browser's machine, and under a name of its own that was pointed there, DNS
 * rebinding, read the answers; but it has no token, and it cannot send JSON without asking first.
 * Pure.
 */
final class PageCheck {
  private static final String JSON = "application/json";

  private final @Nullable HostCheck hosts;

  /** Why a request is refused. */
  record Refusal(int status, String reason, String message) {}

  PageCheck(SandboxConfig.Api api) {
    // a token is nothing that a browser adds by itself, and who needs one may use any name
    this.hosts =
        api.authenticate() ? null : new HostCheck(List.of(api.address(), host(api.advertise())));
  }

  private static String host(String url) {
    return url.isEmpty() ? "" : Objects.requireNonNullElse(URI.create(url).getHost(), "");
  }

  /** Of any request, by its head; empty for one that may go on. */
  Optional<Refusal> ofHead(HttpServerRequest request) {
    Optional<Refusal> wrongHost =
        hosts == null
            ? Optional.empty()
            : hosts.problem(request).map(why -> new Refusal(421, "MisdirectedRequest", why));
    return wrongHost.isPresent()
        ? wrongHost
        : BrowserCheck.problem(request).map(why -> new Refusal(403, "Forbidden", why));
  }

  /** Of one that has to bring a JSON document. */
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
