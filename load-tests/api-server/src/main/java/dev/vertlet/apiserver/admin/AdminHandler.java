package dev.vertlet.apiserver.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.apiserver.http.Impersonation;
import dev.vertlet.apiserver.registry.Resources;
import dev.vertlet.http.BoundedBody;
import dev.vertlet.http.HttpServers;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code /_admin/}. */
public final class AdminHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);
  private static final String PREFIX = "/_admin/";
  private static final String FAULTS = "/_admin/faults";
  private static final String BEARER = "Bearer ";
  private static final int MOST_BYTES = 64 * 1024;

  private record Scripted(FaultRequest request, Fault fault) {}

  private final Faults faults;
  private final Resources resources;
  private final Set<String> tokens;
  private final Map<Integer, Scripted> scripted = new TreeMap<>();
  private int lastId;

  /**
   * @param tokens who may call; an empty set means nobody
   */
  public AdminHandler(Faults faults, Resources resources, Set<String> tokens) {
    this.faults = faults;
    this.resources = resources;
    this.tokens = Set.copyOf(tokens);
  }

  /** Whether a path is served here. */
  public static boolean serves(String path) {
    return path.startsWith(PREFIX);
  }

  /** Serves one request. */
  public void handle(HttpServerRequest http) {
    try {
      admit(http);
    } catch (ApiException refused) {
      send(http, refused.code(), refused.toStatus());
      return;
    }
    HttpServers.admitted(http);
    BoundedBody.read(http, MOST_BYTES)
        .onSuccess(body -> answer(http, body))
        .onFailure(gone -> LOG.debug("the client left before its request was complete", gone));
  }

  private void answer(HttpServerRequest http, Buffer body) {
    try {
      route(http, body);
    } catch (ApiException refused) {
      send(http, refused.code(), refused.toStatus());
    }
  }

  private void admit(HttpServerRequest http) {
    if (!isLoopback(http.connection().remoteAddress(true))) {
      throw new ApiException(403, "Forbidden", "admin calls are accepted from loopback only");
    } else if (tokens.isEmpty()) {
      throw new ApiException(
          403, "Forbidden", "admin calls need a token, and this server was started without any");
    }
    String given = http.getHeader("authorization");
    byte[] token =
        (given == null || !given.startsWith(BEARER) ? "" : given.substring(BEARER.length()).trim())
            .getBytes(UTF_8);
    if (tokens.stream().noneMatch(known -> MessageDigest.isEqual(known.getBytes(UTF_8), token))) {
      throw ApiException.unauthorized();
    } else if (Impersonation.isAsked(http.headers())) {
      throw new ApiException(403, "Forbidden", "admin calls are made in nobody else's name");
    }
  }

  /**
   * Decides by the address of the connection: headers that proxies add are not to be trusted.
   *
   * @param remote null when it is not known
   */
  static boolean isLoopback(@Nullable SocketAddress remote) {
    if (remote == null || remote.hostAddress() == null) {
      return false;
    }
    try { // a literal address: nothing is looked up
      return InetAddress.getByName(remote.hostAddress()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private void route(HttpServerRequest http, Buffer body) {
    String path = http.path();
    HttpMethod method = http.method();
    if (path.equals(FAULTS)) {
      if (method.equals(HttpMethod.POST)) {
        add(http, body);
      } else if (method.equals(HttpMethod.GET)) {
        send(http, 200, list());
      } else if (method.equals(HttpMethod.DELETE)) {
        ObjectNode lifted = list();
        scripted.values().forEach(each -> each.fault().lift());
        scripted.clear();
        send(http, 200, lifted);
      } else {
        throw ApiException.methodNotAllowed();
      }
    } else if (path.startsWith(FAULTS + "/")) {
      one(http, method, path.substring(FAULTS.length() + 1));
    } else {
      throw ApiException.noSuchResource();
    }
  }

  private void one(HttpServerRequest http, HttpMethod method, String id) {
    int key = id.matches("[0-9]{1,9}") ? Integer.parseInt(id) : 0;
    Scripted found = scripted.get(key);
    if (found == null) {
      throw new ApiException(404, "NotFound", "there is no fault \"%s\"".formatted(id));
    } else if (method.equals(HttpMethod.DELETE)) {
      found.fault().lift();
      scripted.remove(key);
    } else if (!method.equals(HttpMethod.GET)) {
      throw ApiException.methodNotAllowed();
    }
    send(http, 200, view(key, found));
  }

  private void add(HttpServerRequest http, Buffer body) {
    FaultRequest request = FaultRequest.of(json(body), resources);
    Scripted added = new Scripted(request, request.script(faults));
    int id = ++lastId;
    scripted.put(id, added);
    LOG.atInfo().addKeyValue("id", id).addKeyValue("fault", request.json()).log("fault scripted");
    send(http, 201, view(id, added));
  }

  private static ObjectNode json(Buffer body) {
    if (body.length() > MOST_BYTES) {
      throw ApiException.badRequest(
          "body: %d bytes are not allowed; allowed: at most %d"
              .formatted(body.length(), MOST_BYTES));
    }
    try {
      if (Json.read(body.getBytes()) instanceof ObjectNode object) {
        return object;
      }
      throw ApiException.badRequest("body: this is not allowed; allowed: a JSON object");
    } catch (JsonProcessingException e) {
      throw ApiException.badRequest(
          "body: this is not allowed; allowed: a JSON object (%s)"
              .formatted(e.getOriginalMessage()));
    }
  }

  private ObjectNode list() {
    ObjectNode list = Json.object();
    ArrayNode items = list.putArray("faults");
    scripted.forEach((id, each) -> items.add(view(id, each)));
    return list;
  }

  private static ObjectNode view(int id, Scripted each) {
    ObjectNode view = Json.object().put("id", id);
    view.setAll((ObjectNode) each.request().json());
    return view.put("hits", each.fault().hits()).put("spent", each.fault().isSpent());
  }

  private static void send(HttpServerRequest http, int code, ObjectNode body) {
    http.response()
        .setStatusCode(code)
        .putHeader("content-type", "application/json")
        .end(Buffer.buffer(Json.bytes(body)))
        .onFailure(gone -> LOG.debug("the client disconnected before its answer", gone));
  }
}
