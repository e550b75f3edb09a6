package dev.vertlet.remote;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.container.SandboxConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;

/** Writes actions of probes and hooks, and settings of sandboxes. */
final class Handlers {
  private Handlers() {}

  static JsonObject json(HandlerView handler) {
    JsonObject json = new JsonObject();
    if (handler instanceof HandlerView.Exec exec) {
      json.put("exec", new JsonObject().put("command", array(exec.command())));
    } else if (handler instanceof HandlerView.HttpGet get) {
      json.put(
          "httpGet",
          new JsonObject()
              .put("scheme", get.scheme())
              .put("host", get.host())
              .put("port", get.port())
              .put("path", get.path())
              .put("headers", array(get.headers())));
    } else if (handler instanceof HandlerView.TcpSocket socket) {
      json.put("tcpSocket", new JsonObject().put("host", socket.host()).put("port", socket.port()));
    } else if (handler instanceof HandlerView.Grpc grpc) {
      json.put("grpc", new JsonObject().put("port", grpc.port()).put("service", grpc.service()));
    } else if (handler instanceof HandlerView.Sleep sleep) {
      json.put("sleep", new JsonObject().put("seconds", sleep.seconds()));
    }
    return json;
  }

  static JsonObject json(SandboxConfig config) {
    JsonArray aliases = new JsonArray();
    config
        .hostAliases()
        .forEach(
            alias ->
                aliases.add(
                    new JsonObject()
                        .put("ip", alias.ip())
                        .put("hostnames", array(alias.hostnames()))));
    return new JsonObject()
        .put("hostname", config.hostname())
        .put("domain", config.domain())
        .put("nodename", config.nodename())
        .put("nameservers", array(config.nameservers()))
        .put("searches", array(config.searches()))
        .put("options", array(config.options()))
        .put("hostAliases", aliases)
        .put("supplementalGroups", array(config.supplementalGroups()));
  }

  static JsonArray array(Collection<?> values) {
    JsonArray array = new JsonArray();
    values.forEach(array::add);
    return array;
  }
}
