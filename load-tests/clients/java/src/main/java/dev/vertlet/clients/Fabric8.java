package dev.vertlet.clients;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The fabric8 client, with one of its transports. */
final class Fabric8 {
  private Fabric8() {}

  static void run(HttpClient.Factory transport, String kubeconfig, Session session)
      throws Exception {
    try (KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(new File(kubeconfig)))
            .withHttpClientFactory(transport)
            .build()) {
      session.listed(
          client.pods().inNamespace(session.namespace()).list().getItems().stream()
              .anyMatch(pod -> pod.getMetadata().getName().equals(session.pod())));
      try {
        client.resource(map(session).addToData("a b", "c").build()).create();
      } catch (KubernetesClientException e) {
        session.refused(e.getCode());
      }
      watch(client, session);
      ContainerResource container =
          client
              .pods()
              .inNamespace(session.namespace())
              .withName(session.pod())
              .inContainer(session.container());
      execute(container, session);
      try (LogWatch log = container.watchLog()) {
        session.follow(log.getOutput());
      }
    }
  }

  private static ConfigMapBuilder map(Session session) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(session.map())
        .withNamespace(session.namespace())
        .endMetadata()
        .addToData("key", "value");
  }

  private static void watch(KubernetesClient client, Session session) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    Resource<ConfigMap> map =
        client.configMaps().inNamespace(session.namespace()).withName(session.map());
    try (Watch watch = map.watch(new Recorder(events))) {
      client.resource(map(session).build()).create();
      ConfigMap patched = map.patch(PatchContext.of(PatchType.JSON_MERGE), Session.PATCH);
      session.patched(patched.getData().get("key"));
      map.delete();
      List<String> seen = new ArrayList<>();
      while (seen.size() < Session.EVENTS) {
        seen.add(events.take());
      }
      session.watched(seen);
    }
  }

  private record Recorder(BlockingQueue<String> events) implements Watcher<ConfigMap> {
    @Override
    public void eventReceived(Action action, ConfigMap map) {
      events.add(action.name());
    }

    @Override
    public void onClose(WatcherException cause) {
      events.add("closed: " + cause.getMessage());
    }
  }

  private static void execute(ContainerResource container, Session session) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (ExecWatch exec =
        container
            .writingOutput(out)
            .writingError(err)
            .exec(Session.COMMAND.toArray(String[]::new))) {
      int exitCode = exec.exitCode().get();
      session.executed(
          out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), exitCode);
    }
  }
}
