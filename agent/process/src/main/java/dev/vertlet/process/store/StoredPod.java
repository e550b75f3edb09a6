package dev.vertlet.process.store;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.SandboxRecord;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pod as its directory keeps it.
 *
 * @param sandbox null once it was removed
 * @param ports that its containers declare, on all addresses of the host, until it is removed
 */
public record StoredPod(
    PodRef ref, String node, @Nullable SandboxRecord sandbox, List<HostPort> ports) {
  /** Name of the file, in the directory of the pod's containers. */
  public static final String FILE = "pod.json";

  public StoredPod {
    ports = List.copyOf(ports);
  }

  public StoredPod removed() {
    return new StoredPod(ref, node, null, List.of());
  }

  public JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put("namespace", ref.namespace())
            .put("name", ref.name())
            .put("uid", ref.uid())
            .put("node", node)
            .put("ports", new JsonArray(ports.stream().map(HostPort::toString).toList()));
    if (sandbox != null) {
      json.put("sandbox", sandbox.id())
          .put("attempt", sandbox.attempt())
          .put("ips", new JsonArray(sandbox.ips()));
    }
    return json;
  }

  public static StoredPod of(JsonObject json) {
    String id = json.getString("sandbox");
    SandboxRecord sandbox =
        id == null
            ? null
            : new SandboxRecord(id, json.getInteger("attempt"), texts(json.getJsonArray("ips")));
    return new StoredPod(
        new PodRef(json.getString("namespace"), json.getString("name"), json.getString("uid")),
        json.getString("node"),
        sandbox,
        texts(json.getJsonArray("ports")).stream().map(HostPort::parse).toList());
  }

  private static List<String> texts(JsonArray array) {
    return array.stream().map(String::valueOf).toList();
  }
}
