package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.testsupport.FullRing;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped rules for sandboxes against what their server does, seen from the wire. */
@ClusterTest
class SandboxRbacIT {
  private static final SandboxNames NAMES = SandboxNames.AGENTBOX;
  private static final String POOL = "tools";
  private static final String CLAIMS = "/v1/pools/" + POOL + "/claims";

  private static final String TEMPLATE =
      """
      {"spec": {"nodeName": "warm0", "tolerations": [{"operator": "Exists"}],
                "terminationGracePeriodSeconds": 1, "imagePullSecrets": [{"name": "registry"}],
                "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}]}}
      """;

  @TempDir private Path folder;

  @Test
  void eachRuleIsUsedAndNothingElseIsAskedFor(TestCluster cluster) throws Exception {
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    SandboxAccess.grant(cluster, folder);
    // the proxy reads no files of tokens
    Path kubeconfig =
        cluster
            .agentAccess()
            .writeKubeconfig(
                folder.resolve("kubeconfig"), Files.readString(folder.resolve("server-token")));
    Set<Permission> granted = SandboxAccess.ofServer(cluster);
    FaultProxy proxy = get(FaultProxy.start(vertx, kubeconfig, folder, new Random(1)));
    // as of a server that cannot stream a list
    proxy.inject(Fault.answer(422).on("watch", "pods").times(1));
    agent(cluster);
    // of no template, so there will be another one
    cluster.create(
        "old",
        "warm0",
        pod ->
            pod.editMetadata()
                .addToLabels(Map.of(NAMES.pool(), POOL, NAMES.phase(), "idle"))
                .endMetadata());
    cluster.closeAfterTest(() -> SandboxProcess.letGo(cluster));
    JsonObject pool = pool(cluster).put("size", 1).put("template", new JsonObject(TEMPLATE));
    SandboxProcess server = server(cluster, proxy.kubeconfig(), pool);
    String may = SandboxAccess.caller(cluster, "may", true);
    // a registry that is not there has the pull secrets read all the same
    String image = "127.0.0.1:" + LoopbackPorts.next() + "/app:1";
    String claim = new JsonObject().put("id", "mine").put("image", image).encode();

    SandboxProcess.Answer claimed = server.ask("POST", CLAIMS, claim, may);
    assertThat(claimed.status()).as(claimed.text()).isEqualTo(201);
    await().until(() -> asksForSecrets(proxy));
    assertThat(server.ask("DELETE", CLAIMS + "/mine", "", may).status()).isEqualTo(200);
    Set<String> before = names(cluster);
    before.forEach(name -> cluster.pods().delete(name));
    eventually(() -> assertThat(names(cluster)).hasSize(1).doesNotContainAnyElementsOf(before));

    eventually(() -> assertThat(Permission.unused(granted, proxy)).isEmpty());
    assertThat(server.process().metric("rest_client_requests_total")).isPositive();
    assertThat(server.process().metrics()).doesNotContain("code=\"403\"");
    assertThat(server.process().terminate()).isZero();
    assertThat(Permission.notGranted(granted, proxy)).isEmpty();
  }

  private static boolean asksForSecrets(FaultProxy proxy) {
    return proxy.traffic().requests().stream()
        .anyMatch(entry -> entry.request().resource().equals("secrets"));
  }

  private static Set<String> names(TestCluster cluster) {
    return cluster.pods().list().stream()
        .map(pod -> pod.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  @FullRing
  @Test
  void eachRightOfCallersIsForRequestsOfItsOwn(TestCluster cluster) throws Exception {
    SandboxProcess server =
        server(
            cluster,
            SandboxAccess.grant(cluster, folder),
            pool(cluster).put("idleImage", "registry.k8s.io/pause:3.10"));
    String claim = "{\"id\": \"mine\", \"image\": \"python:3.12\", \"waitSeconds\": 1}";
    Map<String, HttpRequest.Builder> requests =
        Map.of(
            "create", server.request("POST", CLAIMS, claim, ""),
            "get", server.request("GET", CLAIMS + "/mine", "", ""),
            "list", server.request("GET", CLAIMS, "", ""),
            "watch", server.request("GET", "/v1/pools/" + POOL + "/watch", "", ""),
            "update", server.request("PUT", CLAIMS + "/mine/activity", "", ""),
            "delete", server.request("DELETE", CLAIMS + "/mine", "", ""));

    assertThat(SandboxAccess.ofCallers(cluster))
        .isEqualTo(
            requests.keySet().stream()
                .map(verb -> new Permission(verb, "sandboxclaims", cluster.namespace()))
                .collect(Collectors.toSet()));
    for (String verb : requests.keySet()) {
      String token = SandboxAccess.callerWith(cluster, verb);
      Set<String> admitted = new TreeSet<>();
      for (Map.Entry<String, HttpRequest.Builder> each : requests.entrySet()) {
        if (admits(each.getValue().setHeader("Authorization", "Bearer " + token).build())) {
          admitted.add(each.getKey());
        }
      }
      assertThat(admitted).containsExactly(verb);
    }
  }

  /** Whatever comes of it then: there are no pods. A watch does not end. */
  private static boolean admits(HttpRequest request) throws Exception {
    HttpResponse<InputStream> answer =
        SandboxProcess.PLAIN.send(request, BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      assertThat(answer.statusCode()).as(request.uri().getPath()).isNotIn(401, 500);
      return answer.statusCode() != 403;
    }
  }

  private void agent(TestCluster cluster) throws IOException {
    cluster.agent(
        cluster
            .agentSetup(Files.createDirectory(folder.resolve("agent")), "warm")
            .with("--set", "agent.profile=fast"));
  }

  private static JsonObject pool(TestCluster cluster) {
    return new JsonObject().put("name", POOL).put("namespace", cluster.namespace());
  }

  private SandboxProcess server(TestCluster cluster, Path kubeconfig, JsonObject pool)
      throws IOException {
    JsonObject leader =
        new JsonObject()
            .put("namespace", cluster.namespace())
            .put("duration", "3s")
            .put("renewInterval", "500ms");
    SandboxProcess server =
        cluster.closeAfterTest(
            SandboxProcess.start(
                Files.createDirectory(folder.resolve("server")),
                new JsonObject()
                    .put("resolver", new JsonObject().put("registries", new JsonArray().add("*")))
                    .put("leaderElection", leader)
                    .put("pools", new JsonArray().add(pool)),
                kubeconfig,
                SandboxProcess.PLAIN));
    eventually(() -> assertThat(server.ready()).as(server.process().log()).isTrue());
    return server;
  }
}
