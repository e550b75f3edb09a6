package dev.vertlet.process.store;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.model.container.ContainerUserView;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;

/**
 * An instance of a container as its directory keeps it. Holds no environment: that is with the
 * shim.
 *
 * @param id with the scheme {@code process}
 * @param socket path of the shim's control socket
 * @param cgroups that its processes are in; empty for none of their own
 */
public record StoredContainer(
    String id,
    String name,
    int attempt,
    String image,
    String imageId,
    Path socket,
    ContainerUserView user,
    List<Cgroup> cgroups) {
  public StoredContainer {
    cgroups = List.copyOf(cgroups);
  }

  /** Name of the file, in the directory of the instance. */
  public static final String FILE = "container.json";

  public static final String SCHEME = "process://";

  /** The id without its scheme. */
  public String bareId() {
    return id.substring(SCHEME.length());
  }

  public JsonObject json() {
    return new JsonObject()
        .put("id", id)
        .put("name", name)
        .put("attempt", attempt)
        .put("image", image)
        .put("imageId", imageId)
        .put("socket", socket.toString())
        .put("uid", user.uid())
        .put("gid", user.gid())
        .put("groups", new JsonArray(user.supplementalGroups()))
        .put("cgroups", new JsonArray(cgroups.stream().map(Cgroup::json).toList()));
  }

  public static StoredContainer of(JsonObject json) {
    return new StoredContainer(
        json.getString("id"),
        json.getString("name"),
        json.getInteger("attempt"),
        json.getString("image"),
        json.getString("imageId"),
        Path.of(json.getString("socket")),
        new ContainerUserView(
            json.getLong("uid"),
            json.getLong("gid"),
            json.getJsonArray("groups").stream()
                .map(group -> ((Number) group).longValue())
                .toList()),
        json.getJsonArray("cgroups").stream().map(JsonObject.class::cast).map(Cgroup::of).toList());
  }
}
