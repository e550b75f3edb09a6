package dev.vertlet.content;

import dev.vertlet.content.file.ContainerFiles;
import dev.vertlet.content.file.ContentException;
import dev.vertlet.content.file.HostPaths;
import dev.vertlet.content.file.HostsFile;
import dev.vertlet.content.file.MountPlan;
import dev.vertlet.content.file.PodDirectory;
import dev.vertlet.content.file.TerminationLog;
import dev.vertlet.env.ReferenceState;
import dev.vertlet.env.ResolvConf;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.ContainerDefinition;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.HostName;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What back ends receive for a start, from the contents of the pod. Confined to the loop. */
final class ContentStarts {
  private final VolumeManager contents;

  ContentStarts(VolumeManager contents) {
    this.contents = contents;
  }

  private boolean files() {
    return contents.input() == PodInput.FILES;
  }

  /** Returns what a runtime receives to create a sandbox. */
  Future<SandboxStart> sandbox(PodView view, int attempt, @Nullable SandboxConfig config) {
    PodVolumeState pod = contents.find(view.uid());
    if (pod == null) {
      return contents
          .definitions()
          .read(view.ref())
          .map(read -> new SandboxStart(view, attempt, config, read, List.of(), null));
    }
    return contents
        .definitions()
        .of(pod)
        .compose(
            read ->
                files()
                    ? onDisk(pod, read, attempt, config)
                    : contents
                        .collect(pod)
                        .all()
                        .map(
                            volumes -> {
                              pod.delivered(volumes);
                              return new SandboxStart(
                                  pod.view(), attempt, config, read, volumes, null);
                            }));
  }

  private Future<SandboxStart> onDisk(
      PodVolumeState pod, PodDefinition read, int attempt, @Nullable SandboxConfig config) {
    PodDirectory directory = contents.directory(pod.view().uid());
    SandboxStart start =
        new SandboxStart(pod.view(), attempt, config, read, List.of(), directory.root());
    if (config == null) {
      return Future.succeededFuture(start);
    }
    String resolver =
        HostsFile.resolver(
            new ResolvConf(config.nameservers(), config.searches(), config.options()));
    return contents
        .services()
        .files()
        .run(
            pod.view().uid(),
            () -> {
              ContainerFiles.write(directory.resolver(), resolver);
              return start;
            });
  }

  /**
   * Returns what a runtime receives to start a container.
   *
   * @param recursive whether it supports recursive read-only mounts
   */
  Future<ContainerStart> container(
      PodView view,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment,
      boolean recursive) {
    PodVolumeState pod = contents.find(view.uid());
    return (pod == null ? contents.definitions().read(view.ref()) : contents.definitions().of(pod))
        .compose(
            read -> {
              ContainerDefinition definition = read.container(container.name());
              refuseDevices(definition);
              Function<List<ContainerMount>, ContainerStart> start =
                  mounts ->
                      new ContainerStart(
                          view,
                          container,
                          attempt,
                          imageId,
                          environment,
                          read,
                          definition,
                          mounts,
                          files() ? contents.directory(view.uid()).root() : null);
              return pod == null || !files()
                  ? Future.succeededFuture(start.apply(List.of()))
                  : mounts(
                          pod,
                          container.name(),
                          MountPlan.of(read, definition, environment, recursive),
                          definition.terminationMessagePath(),
                          attempt)
                      .map(start);
            })
        .recover(ContentStarts::configError);
  }

  private static void refuseDevices(ContainerDefinition definition) {
    if (!definition.devices().isEmpty()) {
      throw new IllegalArgumentException(
          "devices of container \"%s\" are not supported on this node: %s"
              .formatted(definition.name(), String.join(", ", definition.devices())));
    }
  }

  /** What a kubelet cannot make of a definition is an error of the container's configuration. */
  private static <T> Future<T> configError(Throwable failure) {
    boolean ours =
        failure instanceof IllegalArgumentException || failure instanceof ContentException;
    return Future.failedFuture(
        ours
            ? new ProviderException(
                ProviderException.Kind.TEMPORARY,
                "CreateContainerConfigError",
                String.valueOf(failure.getMessage()))
            : failure);
  }

  private Future<List<ContainerMount>> mounts(
      PodVolumeState pod,
      String name,
      List<MountPlan.Planned> plan,
      String messagePath,
      int attempt) {
    PodView view = pod.view();
    ContainerFiles files =
        new ContainerFiles(
            contents.directory(view.uid()), name, new HostPaths(contents.options().hostPaths()));
    String managed = view.spec().hostNetwork() ? null : hosts(pod);
    int random = contents.services().random().nextInt();
    return contents
        .services()
        .files()
        .run(
            view.uid(),
            () ->
                files.make(
                    plan,
                    new ContainerFiles.Extras(
                        view.spec().hostNetwork() ? hostsOfNode(view) : managed,
                        messagePath,
                        attempt,
                        random)));
  }

  private @Nullable String hosts(PodVolumeState pod) {
    PodView view = pod.view();
    HostName name = HostName.of(view, contents.dns(view.nodeName()).clusterDomain());
    return pod.ips().isEmpty()
        ? null
        : HostsFile.ofPod(name, pod.ips(), view.spec().network().hostAliases());
  }

  private String hostsOfNode(PodView view) throws IOException {
    Path file = contents.options().hostsFile();
    return HostsFile.ofHost(
        Files.exists(file) ? Files.readString(file) : "", view.spec().network().hostAliases());
  }

  /** Returns the credentials to try for an image, one after the other. */
  Future<List<RegistryCredential>> credentials(PodView view, String image) {
    PodVolumeState pod = contents.find(view.uid());
    if (pod == null) {
      return Future.succeededFuture(List.of());
    }
    List<DataView> secrets = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (ReferredKey key : pod.pullSecrets()) {
      if (contents.look(key) instanceof ReferenceState.Known known
          && !known.objects().isEmpty()
          && known.objects().get(0) instanceof DataView secret) {
        secrets.add(secret);
      } else {
        missing.add(key.name());
      }
    }
    if (!missing.isEmpty()) {
      contents
          .services()
          .warn(
              view,
              "FailedToRetrieveImagePullSecret",
              "Unable to retrieve some image pull secrets (%s); attempting to pull the image may not"
                      .formatted(String.join(", ", missing))
                  + " succeed.");
    }
    try {
      return Future.succeededFuture(PullSecrets.of(image, secrets));
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
  }

  /** Returns the message that an instance of a container left; empty without one. */
  Future<String> message(String uid, ContainerRecord record) {
    PodVolumeState pod = contents.find(uid);
    String known = pod == null ? null : pod.message(record.id());
    if (known != null) {
      return Future.succeededFuture(known);
    }
    TerminationLog log = new TerminationLog(contents.directory(uid).container(record.name()));
    int attempt = record.attempt();
    return contents
        .services()
        .files()
        .run(uid, () -> log.read(attempt))
        .onSuccess(
            said -> {
              if (pod != null) {
                pod.message(record.id(), said);
              }
            });
  }
}
