package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of ClusterTrustBundles in the files of a real process. */
@ClusterTest(
    own = true,
    apiServerFlags = {
      "--feature-gates=ClusterTrustBundle=true,ClusterTrustBundleProjection=true",
      "--runtime-config=certificates.k8s.io/v1beta1/clustertrustbundles=true"
    })
class TrustBundleIT {
  private static final String NODE = "trust0";

  @TempDir private Path folder;

  private void start(TestCluster cluster) throws Exception {
    ExampleBackend backend =
        cluster.closeAfterTest(ExampleBackend.start("pods.py", LoopbackPorts.next()));
    JsonObject settings =
        new JsonObject().put("remote", new JsonObject().put("url", backend.url()));
    JsonObject config =
        new JsonObject()
            .put(
                "nodes",
                new JsonArray().add(new JsonObject().put("name", NODE).put("provider", "remote")))
            .put("providers", new JsonObject().put("settings", settings));
    Path file = Files.writeString(folder.resolve("vertlet.json"), config.encode());
    cluster.agent(AgentProcess.Setup.of(folder, file, cluster.kubeconfig()));
    eventually(() -> assertThat(cluster.isReady(NODE)).isTrue());
  }

  /** A certificate as the API server accepts it, which the folder keeps with its key. */
  private String certificate(String name) throws Exception {
    Path store = folder.resolve(name);
    Path pem = folder.resolve(name + ".pem");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options = "-storepass changeit -keystore " + store + " -alias a";
    run(keytool + " -genkeypair -keyalg EC -ext bc:c -dname CN=" + name + " " + options);
    run(keytool + " -exportcert -rfc -file " + pem + " " + options);
    // keytool has lines of another length and order than those of the bundle's file
    byte[] der =
        Base64.getMimeDecoder()
            .decode(Files.readString(pem, US_ASCII).replaceAll("-----[A-Z ]+-----", ""));
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der)
        + "\n-----END CERTIFICATE-----\n";
  }

  private static void run(String command) throws Exception {
    Process process =
        new ProcessBuilder(command.split(" "))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).as(command).isZero();
  }

  private static String bundle(String name, String signer, String pem) {
    return new JsonObject()
        .put("apiVersion", "certificates.k8s.io/v1beta1")
        .put("kind", "ClusterTrustBundle")
        .put(
            "metadata",
            new JsonObject().put("name", name).put("labels", new JsonObject().put("l", "v")))
        .put(
            "spec",
            signer.isEmpty()
                ? new JsonObject().put("trustBundle", pem)
                : new JsonObject().put("signerName", signer).put("trustBundle", pem))
        .encode();
  }

  @Test
  void aContainerSeesBundlesByNameAndBySignerAndTheirNewVersions(TestCluster cluster)
      throws Exception {
    start(cluster);
    String first = certificate("first");
    String second = certificate("second");
    cluster.create(
        "p",
        NODE,
        TestPods.spec(
            "{volumes: [{name: ca, projected: {sources: [{clusterTrustBundle: {name: named, path:"
                + " named.pem}}, {clusterTrustBundle: {signerName: example.com/s, labelSelector:"
                + " {matchLabels: {l: v}}, path: signer.pem}}, {clusterTrustBundle: {name: none,"
                + " optional: true, path: none.pem}}]}}], containers: [{name: main, image: img,"
                + " command: [sleep, \"1000\"], volumeMounts: [{name: ca, mountPath: /ca}]}]}"));
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .contains(
                    "MountVolume.SetUp failed for volume \"ca\" : [while getting"
                        + " ClusterTrustBundle: clustertrustbundle.certificates.k8s.io \"named\""
                        + " not found, combination of signerName and labelSelector matched zero"
                        + " ClusterTrustBundles]"));

    cluster.createAll(bundle("named", "", "the root\n" + first));
    cluster.createAll(bundle("example.com:s:1", "example.com/s", first + second));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);

    assertThat(content(cluster, "named.pem")).isEqualTo(first);
    assertThat(content(cluster, "signer.pem")).contains(first, second);
    assertThat(content(cluster, "none.pem")).isEmpty();
    String patch = new JsonObject().put("trustBundle", second).encode();
    cluster.kubectl(
        "patch", "clustertrustbundle", "named", "--type=merge", "-p", "{\"spec\":" + patch + "}");
    eventually(() -> assertThat(content(cluster, "named.pem")).isEqualTo(second));
  }

  private static String content(TestCluster cluster, String file) {
    return cluster.kubectl("exec", "p", "--", "sh", "-c", "cat $VERTLET_ROOT/ca/" + file);
  }
}
