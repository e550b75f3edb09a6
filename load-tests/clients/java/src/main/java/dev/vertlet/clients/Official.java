package dev.vertlet.clients;

import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.Exec;
import io.kubernetes.client.PodLogs;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Kubernetes' own client. */
final class Official {
  private Official() {}

  static void run(String kubeconfig, Session session) throws Exception {
    ApiClient client = Config.fromConfig(kubeconfig);
    client.setReadTimeout(0); // else a watch ends after 10 s
    CoreV1Api api = new CoreV1Api(client);
    session.listed(
        api.listNamespacedPod(session.namespace()).execute().getItems().stream()
            .anyMatch(pod -> pod.getMetadata().getName().equals(session.pod())));
    try {
      api.createNamespacedConfigMap(session.namespace(), map(session).putDataItem("a b", "c"))
          .execute();
    } catch (ApiException e) {
      session.refused(e.getCode());
    }
    watch(client, api, session);
    execute(client, session);
    PodLogs logs = new PodLogs(client);
    try (InputStream log =
        logs.streamNamespacedPodLog(session.namespace(), session.pod(), session.container())) {
      session.follow(log);
    }
  }

  private static V1ConfigMap map(Session session) {
    return new V1ConfigMap()
        .metadata(new V1ObjectMeta().name(session.map()))
        .putDataItem("key", "value");
  }

  private static void watch(ApiClient client, CoreV1Api api, Session session) throws Exception {
    try (Watch<V1ConfigMap> watch =
        Watch.createWatch(
            client,
            api.listNamespacedConfigMap(session.namespace())
                .fieldSelector("metadata.name=" + session.map())
                .watch(true)
                .buildCall(null),
            new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
      api.createNamespacedConfigMap(session.namespace(), map(session)).execute();
      V1ConfigMap patched =
          PatchUtils.patch(
              V1ConfigMap.class,
              () ->
                  api.patchNamespacedConfigMap(
                          session.map(), session.namespace(), new V1Patch(Session.PATCH))
                      .buildCall(null),
              V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
              client);
      session.patched(patched.getData().get("key"));
      api.deleteNamespacedConfigMap(session.map(), session.namespace()).execute();
      List<String> seen = new ArrayList<>();
      while (seen.size() < Session.EVENTS) {
        seen.add(watch.next().type);
      }
      session.watched(seen);
    }
  }

  private static void execute(ApiClient client, Session session) throws Exception {
    Process process =
        new Exec(client)
            .newExecutionBuilder(
                session.namespace(), session.pod(), Session.COMMAND.toArray(String[]::new))
            .setContainer(session.container())
            .setStdin(false)
            .execute();
    // both at once: one that nobody reads holds up the other
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
    String out = text(process.getInputStream());
    session.executed(out, err.get(), process.waitFor());
  }

  private static String text(InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
