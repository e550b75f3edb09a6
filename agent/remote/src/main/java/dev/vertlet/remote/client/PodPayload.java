package dev.vertlet.remote.client;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Body of the request that creates or updates a pod. Holds secrets: never logged. */
public final class PodPayload {
  /** A kubelet's reason for a container whose environment cannot be made. */
  private static final String UNRESOLVED = "CreateContainerConfigError";

  private PodPayload() {}

  /** Hash of everything in a pod whose change the back end must see, stable over restarts. */
  public static String fingerprint(PodView pod) {
    int metadata = 31 * pod.labels().hashCode() + pod.annotations().hashCode();
    return Long.toHexString(pod.spec().hash()) + "-" + Integer.toHexString(metadata);
  }

  /**
   * Makes the body of a PUT.
   *
   * @param whole the pod as the API server holds it
   * @param pod the same pod, perhaps with its environment resolved
   * @param environment whether it is resolved
   * @param restartCounts with which containers begin
   * @param volumes content of volumes
   * @param credentials of registries by image
   * @throws IllegalArgumentException if both are not the same pod
   */
  public static Buffer of(
      Buffer whole,
      PodView pod,
      boolean environment,
      Map<String, Integer> restartCounts,
      Collection<VolumeContent> volumes,
      Map<String, List<RegistryCredential>> credentials) {
    JsonObject body =
        new JsonObject()
            .put("generation", pod.resourceVersion())
            .put("fingerprint", fingerprint(pod))
            .put("node", pod.nodeName())
            .put("pod", pod(whole, pod, environment));
    if (!restartCounts.isEmpty()) {
      JsonObject counts = new JsonObject();
      restartCounts.forEach(counts::put);
      body.put("restartCounts", counts);
    }
    if (!volumes.isEmpty()) {
      body.put("volumes", volumes(volumes));
    }
    if (!credentials.isEmpty()) {
      JsonObject registries = new JsonObject();
      credentials.forEach((image, all) -> registries.put(image, credentials(all)));
      body.put("credentials", registries);
    }
    return body.toBuffer();
  }

  /** Makes the body of a PATCH. */
  static Buffer content(Collection<VolumeContent> volumes) {
    return new JsonObject().put("volumes", volumes(volumes)).toBuffer();
  }

  /** Writes the content of volumes. */
  public static JsonObject volumes(Collection<VolumeContent> volumes) {
    JsonObject json = new JsonObject();
    for (VolumeContent volume : volumes) {
      JsonArray files = new JsonArray();
      for (ContentFile file : volume.files()) {
        files.add(
            new JsonObject()
                .put("path", file.path())
                .put("mode", file.mode())
                .put("content", Base64.getEncoder().encodeToString(file.bytes().getBytes())));
      }
      json.put(volume.volume(), new JsonObject().put("files", files));
    }
    return json;
  }

  private static JsonArray credentials(List<RegistryCredential> all) {
    JsonArray json = new JsonArray();
    all.forEach(one -> json.add(credential(one)));
    return json;
  }

  /** Writes a credential. */
  public static JsonObject credential(RegistryCredential one) {
    return new JsonObject()
        .put("registry", one.registry())
        .put("username", one.username())
        .put("password", one.password());
  }

  /**
   * Refuses a pod that was passed on without its environment, as the back end has run it already.
   */
  private static void requireResolved(PodView pod) {
    Stream.of(
            pod.spec().initContainers(), pod.spec().containers(), pod.spec().ephemeralContainers())
        .flatMap(List::stream)
        .filter(container -> container.environment() != null && !container.environment().literal())
        .findFirst()
        .ifPresent(
            container -> {
              throw new ProviderException(
                  ProviderException.Kind.TEMPORARY,
                  UNRESOLVED,
                  "the environment of container \"%s\" is not known".formatted(container.name()));
            });
  }

  /**
   * Writes the pod, with values instead of references if they are resolved.
   *
   * @throws ProviderException if they are not, though they are asked for
   */
  public static JsonObject pod(Buffer whole, PodView pod, boolean environment) {
    JsonObject json = new JsonObject(whole);
    JsonObject metadata = json.getJsonObject("metadata", new JsonObject());
    if (!pod.uid().equals(metadata.getString("uid"))) {
      throw new IllegalArgumentException(
          "the pod with UID " + pod.uid() + " is gone; another one has its name");
    }
    metadata.remove("managedFields");
    if (environment) {
      requireResolved(pod);
      JsonObject spec = json.getJsonObject("spec");
      resolve(spec, "initContainers", pod.spec().initContainers());
      resolve(spec, "containers", pod.spec().containers());
      resolve(spec, "ephemeralContainers", pod.spec().ephemeralContainers());
    }
    return json;
  }

  private static void resolve(JsonObject spec, String key, Iterable<ContainerView> views) {
    JsonArray containers = spec.getJsonArray(key, new JsonArray());
    for (ContainerView view : views) {
      for (int i = 0; i < containers.size(); i++) {
        JsonObject container = containers.getJsonObject(i);
        if (view.name().equals(container.getString("name"))) {
          resolve(container, view);
        }
      }
    }
  }

  /** Replaces references of a container by values. */
  public static void resolve(JsonObject container, ContainerView view) {
    container.remove("envFrom");
    container.remove("env");
    EnvironmentView environment = view.environment();
    List<Variable> resolved = environment == null ? List.of() : environment.env();
    JsonArray variables = new JsonArray();
    for (Variable variable : resolved) {
      variables.add(new JsonObject().put("name", variable.name()).put("value", variable.value()));
    }
    if (!variables.isEmpty()) {
      container.put("env", variables);
    }
    list(container, "command", view.command().command());
    list(container, "args", view.command().args());
  }

  private static void list(JsonObject container, String key, Iterable<String> values) {
    JsonArray array = new JsonArray();
    values.forEach(array::add);
    if (!array.isEmpty()) {
      container.put(key, array);
    }
  }
}
