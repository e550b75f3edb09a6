package dev.vertlet.harness.it;

import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.loopback.Kubeconfig;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What agents may do in one cluster: what the shipped manifests grant their ServiceAccount, and
 * nothing else. An external cluster keeps what was granted.
 */
final class AgentAccess implements AutoCloseable {
  static final String NAMESPACE = "vertlet-system";

  private static final String SERVICE_ACCOUNT = "vertlet";

  /** As whom agents are known, however they prove it. */
  static final String USER = "system:serviceaccount:" + NAMESPACE + ":" + SERVICE_ACCOUNT;

  /** Longer than any run of the tests; clusters may grant less. */
  private static final Duration TOKEN_LIFETIME = Duration.ofHours(12);

  private final ControlPlane controlPlane;
  private final KubernetesClient admin;
  private final Path folder;
  private final Path kubeconfig;

  private AgentAccess(ControlPlane controlPlane, KubernetesClient admin) throws IOException {
    this.controlPlane = controlPlane;
    this.admin = admin;
    this.folder = Files.createTempDirectory("vertlet-agent-access-");
    AuthInfo user = new AuthInfo();
    user.setToken(token(null));
    this.kubeconfig = write(folder.resolve("kubeconfig"), user);
  }

  /** Applies the manifests and asks for a token. */
  static AgentAccess grant(ControlPlane controlPlane) throws IOException {
    KubernetesClient admin = TestCluster.connect(controlPlane.kubeconfig());
    // the API server makes it a moment after it has become ready
    await().until(() -> admin.namespaces().withName("kube-node-lease").get() != null);
    controlPlane.kubectl("apply", "-k", Manifests.ACCESS.toString());
    return new AgentAccess(controlPlane, admin);
  }

  /** For agents, straight to the API server. */
  Path kubeconfig() {
    return kubeconfig;
  }

  /** Writes a kubeconfig whose token is in a file. Returns the kubeconfig. */
  Path writeKubeconfig(Path file, Path tokenFile) throws IOException {
    AuthInfo user = new AuthInfo();
    user.setTokenFile(tokenFile.toAbsolutePath().toString());
    return write(file, user);
  }

  /**
   * Writes a kubeconfig whose client certificate and key are in one file, as those of kubelets are.
   * Returns the kubeconfig.
   */
  Path writeCertificateKubeconfig(Path file, Path certificateAndKey) throws IOException {
    AuthInfo user = new AuthInfo();
    user.setClientCertificate(certificateAndKey.toAbsolutePath().toString());
    user.setClientKey(certificateAndKey.toAbsolutePath().toString());
    return write(file, user);
  }

  /** Writes a kubeconfig with this token in it. Returns the kubeconfig. */
  Path writeKubeconfig(Path file, String token) throws IOException {
    AuthInfo user = new AuthInfo();
    user.setToken(token);
    return write(file, user);
  }

  /**
   * A new token.
   *
   * @param boundTo a Secret with whose deletion the token ends; null: none
   */
  String token(@Nullable Secret boundTo) {
    TokenRequestBuilder request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(TOKEN_LIFETIME.toSeconds())
            .endSpec();
    if (boundTo != null) {
      request
          .editSpec()
          .withNewBoundObjectRef()
          .withApiVersion("v1")
          .withKind("Secret")
          .withName(boundTo.getMetadata().getName())
          .withUid(boundTo.getMetadata().getUid())
          .endBoundObjectRef()
          .endSpec();
    }
    TokenRequest granted =
        admin
            .serviceAccounts()
            .inNamespace(NAMESPACE)
            .withName(SERVICE_ACCOUNT)
            .tokenRequest(request.build());
    return granted.getStatus().getToken();
  }

  /** The administrator's kubeconfig with another user: same server, same trust. */
  private Path write(Path file, AuthInfo user) throws IOException {
    String yaml = controlPlane.kubectl("config", "view", "--raw", "--minify", "--flatten");
    Config config = Serialization.unmarshal(yaml, Config.class);
    NamedAuthInfo named = config.getUsers().get(0);
    named.setUser(user);
    config.setUsers(List.of(named));
    return Kubeconfig.writeSecret(file, Serialization.asYaml(config));
  }

  @Override
  public void close() throws IOException {
    admin.close();
    Files.delete(kubeconfig);
    Files.delete(folder);
  }
}
