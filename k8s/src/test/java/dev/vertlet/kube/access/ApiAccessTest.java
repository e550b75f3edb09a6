package dev.vertlet.kube.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.TestCertificates;
import dev.vertlet.testsupport.fuzz.YamlBombs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiAccessTest {
  @TempDir Path directory;

  private final Map<String, String> environment = new HashMap<>();

  @Test
  void readsATokenAndAServerWithAPathPrefix() throws IOException {
    Path file = kubeconfig("config", "https://api.example.org:6443/k8s/c1", "token: secret");
    AccessSnapshot access = load(file, null);
    assertThat(access.authorization()).isEqualTo("Bearer secret");
    assertThat(access.host()).isEqualTo("api.example.org");
    assertThat(access.port()).isEqualTo(6443);
    assertThat(access.basePath()).isEqualTo("/k8s/c1");
    assertThat(access.rotating()).isFalse();
    assertThat(access.toString()).doesNotContain("secret").contains(file.toString());
  }

  @Test
  void readsBasicCredentials() throws IOException {
    Path file = kubeconfig("config", "https://api", "username: bob\n    password: pw");
    assertThat(load(file, null).authorization()).isEqualTo("Basic Ym9iOnB3");
  }

  @Test
  void readsATokenFileBesideTheKubeconfig() throws IOException {
    Path file = kubeconfig("config", "https://api", "tokenFile: tok");
    Files.writeString(directory.resolve("tok"), "from-file\n");
    AccessSnapshot access = load(file, null);
    assertThat(access.authorization()).isEqualTo("Bearer from-file");
    assertThat(access.rotating()).isTrue();
  }

  @Test
  void mergesTheFilesOfTheEnvironmentAndSkipsThoseThatAreNotThere() throws IOException {
    Path first = directory.resolve("first");
    Files.writeString(first, "apiVersion: v1\nkind: Config\ncurrent-context: ctx\n");
    Path second = kubeconfig("second", "https://second", "token: two");
    environment.put("KUBECONFIG", first + ":" + directory.resolve("absent") + ":" + second);
    AccessSnapshot access = load(null, null);
    assertThat(access.host()).isEqualTo("second");
    assertThat(access.authorization()).isEqualTo("Bearer two");
  }

  @Test
  void takesTheHomeDirectoryWithoutAnythingElse() throws IOException {
    Files.createDirectories(directory.resolve(".kube"));
    kubeconfig(".kube/config", "http://home:8080", "token: t");
    AccessSnapshot access = load(null, null);
    assertThat(access.host()).isEqualTo("home");
    assertThat(access.isTls()).isFalse();
    assertThat(access.ssl()).isNull();
  }

  @Test
  void extensionsAndUnknownFieldsAreLeftAlone() throws IOException {
    Path file = kubeconfig("config", "https://api", "token: t");
    String text = Files.readString(file);
    String extension = "extensions: [{name: e, extension: {kind: Odd, apiVersion: odd/v1}}]";
    Path extended =
        write(
            "extended",
            text.replace("cluster: {server", "cluster: {" + extension + ", server")
                    .replace("context: {cluster", "context: {" + extension + ", other: 1, cluster")
                + extension
                + "\npreferences: {colors: true, "
                + extension
                + "}\n");
    assertThat(load(extended, null).authorization()).isEqualTo("Bearer t");
  }

  @Test
  void usesTheServiceAccountInAPod() throws IOException {
    environment.put("KUBERNETES_SERVICE_HOST", "fd00::1");
    environment.put("KUBERNETES_SERVICE_PORT", "6443");
    Files.writeString(directory.resolve("token"), "pod-token");
    Files.writeString(directory.resolve("ca.crt"), TestCertificates.CA);
    AccessSnapshot access = load(null, null);
    assertThat(access.host()).isEqualTo("fd00::1");
    assertThat(access.authorization()).isEqualTo("Bearer pod-token");
    assertThat(access.rotating()).isTrue();
  }

  @Test
  void saysThatThereIsNoConfigurationAndWhereItLooked() {
    assertRefused(() -> load(null, null))
        .hasMessageContaining("no Kubernetes configuration found")
        .hasMessageContaining("KUBECONFIG is not set")
        .hasMessageContaining(directory.resolve(".kube/config").toString())
        .hasMessageContaining("not in a Pod");
  }

  @Test
  void saysWhyAKubeconfigCannotBeRead() throws IOException {
    Path absent = directory.resolve("absent");
    Path broken = Files.writeString(directory.resolve("broken"), "clusters: [{");
    Path blank = Files.writeString(directory.resolve("blank"), " ");
    assertRefused(() -> load(absent, null))
        .hasMessage("kubeconfig " + absent + " cannot be read: no such file");
    assertRefused(() -> load(directory, null)).hasMessageContaining("it is a directory");
    assertRefused(() -> load(broken, null))
        .hasMessage("kubeconfig " + broken + " is not a kubeconfig: see line 1, column 13");
    assertRefused(() -> load(blank, null)).hasMessageContaining("is empty");
  }

  @Test
  void aKubeconfigThatGrowsIsRefused() throws IOException {
    for (Map.Entry<String, String> bomb : YamlBombs.all().entrySet()) {
      Path file = Files.writeString(directory.resolve("bomb"), bomb.getValue());

      assertRefused(() -> load(file, null))
          .as(bomb.getKey())
          .hasMessageMatching("kubeconfig " + file + " has (more than|an alias that) .*");
    }
  }

  @Test
  void anUnknownContextIsNamedWithThoseThereAre() throws IOException {
    Path file = kubeconfig("config", "https://api", "token: t");
    assertRefused(() -> load(file, "other"))
        .hasMessage("context \"other\" is not in kubeconfig " + file + ": it has ctx");
  }

  @Test
  void aDanglingClusterOrUserIsNamed() throws IOException {
    Path file = kubeconfig("config", "https://api", "token: t");
    String text = Files.readString(file);
    Path noCluster =
        Files.writeString(directory.resolve("a"), text.replace("cluster: cl,", "cluster: zz,"));
    Path noUser = Files.writeString(directory.resolve("b"), text.replace("user: us}", "user: zz}"));
    assertRefused(() -> load(noCluster, null)).hasMessageContaining("names cluster \"zz\"");
    assertRefused(() -> load(noUser, null)).hasMessageContaining("names user \"zz\"");
  }

  @Test
  void refusesWhatItWouldOtherwiseIgnore() throws IOException {
    Path file = kubeconfig("config", "https://api", "token: t\n    as: admin");
    assertRefused(() -> load(file, null)).hasMessageContaining("impersonation (as: admin)");
  }

  @Test
  void refusesAServerThatIsNoUrl() throws IOException {
    assertRefused(() -> load(kubeconfig("config", "ftp://api", "token: t"), null))
        .hasMessageContaining("server must begin with http:// or https://");
  }

  @Test
  void namesTheCertificateThatCannotBeUsed() throws IOException {
    Path file = kubeconfig("config", "https://api", "token: t");
    String text = Files.readString(file);
    Path missing =
        write(
            "a", text.replace("cluster: {server", "cluster: {certificate-authority: gone, server"));
    Path junk =
        write(
            "b", text.replace("cluster: {server", "cluster: {certificate-authority: junk, server"));
    Files.writeString(directory.resolve("junk"), "no certificate");
    Path data =
        write(
            "c",
            text.replace("cluster: {server", "cluster: {certificate-authority-data: '%%', server"));
    assertRefused(() -> load(missing, null))
        .hasMessageContaining("certificate-authority " + directory.resolve("gone"));
    assertRefused(() -> load(junk, null)).hasMessageContaining("certificate-authority");
    assertRefused(() -> load(data, null)).hasMessageContaining("certificate-authority");
  }

  @Test
  void aClientCertificateNeedsItsKey() throws IOException {
    Path file = kubeconfig("config", "https://api", "client-certificate: crt");
    Files.writeString(directory.resolve("crt"), TestCertificates.CA);
    assertRefused(() -> load(file, null))
        .hasMessageContaining("client-certificate and client-key must be given together");
  }

  @Test
  void runsAnExecPluginAndKeepsItsExpiry() throws IOException {
    Path file =
        exec(
            "v1",
            plugin(
                """
                #!/bin/sh
                echo noise >&2
                case "$KUBERNETES_EXEC_INFO" in *client.authentication.k8s.io/v1*) ;; *) exit 3;; esac
                echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",'
                echo '"status":{"token":"'$1-$EXTRA'","expirationTimestamp":"2030-01-01T00:00:00Z"}}'
                """));
    AccessSnapshot access = load(file, null);
    assertThat(access.authorization()).isEqualTo("Bearer arg-env");
    assertThat(access.expires()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
    assertThat(access.rotating()).isTrue();
  }

  @Test
  void saysHowAnExecPluginFailedWithoutQuotingIt() throws IOException {
    Path failing = exec("f", plugin("#!/bin/sh\nexit 4\n"));
    Path talking = exec("t", plugin("#!/bin/sh\necho secret\n"));
    Path empty =
        exec(
            "e",
            plugin("#!/bin/sh\necho '{\"apiVersion\":\"client.authentication.k8s.io/v1\"}'\n"));
    Path absent = exec("a", directory.resolve("not-there"));
    assertRefused(() -> load(failing, null)).hasMessageContaining("ended with exit code 4");
    assertRefused(() -> load(talking, null))
        .hasMessageContaining("did not print JSON")
        .hasMessageNotContaining("secret");
    assertRefused(() -> load(empty, null)).hasMessageContaining("neither a token nor");
    assertRefused(() -> load(absent, null)).hasMessageContaining("cannot be run");
  }

  private AccessSnapshot load(@Nullable Path file, @Nullable String context) {
    return new ApiAccess(file, context, environment, directory, directory, null).load();
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      ThrowingCallable call) {
    return assertThatThrownBy(call).isInstanceOf(AccessException.class);
  }

  private Path kubeconfig(String name, String server, String user) throws IOException {
    return write(
        name,
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: cl
          cluster: {server: "%s"}
        users:
        - name: us
          user:
            %s
        contexts:
        - name: ctx
          context: {cluster: cl, user: us}
        current-context: ctx
        """
            .formatted(server, user));
  }

  private Path exec(String name, Path plugin) throws IOException {
    return kubeconfig(
        "config-" + name,
        "https://api",
        """
        exec:
              apiVersion: client.authentication.k8s.io/v1
              command: ./%s
              args: [arg]
              env: [{name: EXTRA, value: env}]\
        """
            .formatted(plugin.getFileName()));
  }

  private Path plugin(String script) throws IOException {
    Path file = Files.createTempFile(directory, "plugin", ".sh");
    Files.writeString(file, script);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + file + " executable");
    }
    return file;
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
