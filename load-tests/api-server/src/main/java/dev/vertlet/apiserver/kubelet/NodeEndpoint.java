package dev.vertlet.apiserver.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a kubelet listens, by the status of its Node.
 *
 * @param host an address or a name that has to be resolved
 * @param port TCP port
 */
public record NodeEndpoint(String host, int port) {
  private static final int DEFAULT_PORT = 10250;

  /** The real server's order: names are dialled before addresses. */
  private static final List<String> PREFERRED =
      List.of("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP");

  /**
   * @throws ApiException 500 when the node has no address
   */
  public static NodeEndpoint of(ObjectNode node) {
    JsonNode addresses = Json.at(node, "status", "addresses");
    for (String type : PREFERRED) {
      for (JsonNode address : addresses) {
        if (Json.text(address, "type").equals(type)) {
          return new NodeEndpoint(Json.text(address, "address"), port(node));
        }
      }
    }
    List<String> known = new ArrayList<>();
    addresses.forEach(
        address ->
            known.add(
                "{" + Json.text(address, "type") + " " + Json.text(address, "address") + "}"));
    throw new ApiException(
        500,
        "",
        "no preferred addresses found; known addresses: [%s]".formatted(String.join(" ", known)));
  }

  private static int port(ObjectNode node) {
    int port = Json.at(node, "status", "daemonEndpoints", "kubeletEndpoint", "Port").asInt();
    return port > 0 ? port : DEFAULT_PORT;
  }
}
