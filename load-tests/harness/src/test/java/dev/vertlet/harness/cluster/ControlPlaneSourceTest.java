package dev.vertlet.harness.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaneSourceTest {
  @TempDir private Path dir;

  @Test
  void aKubeconfigWinsOverEverything() throws IOException {
    Path kubeconfig = Files.createFile(dir.resolve("kubeconfig"));
    executables("etcd", "kube-apiserver", "kubectl");

    Optional<ControlPlaneSource> found =
        ControlPlaneSource.find(
            Map.of(
                "VERTLET_IT_KUBECONFIG",
                kubeconfig.toString(),
                "KUBEBUILDER_ASSETS",
                dir.toString()));

    assertThat(found).contains(new ControlPlaneSource.External(kubeconfig));
    assertThat(found).hasValueSatisfying(source -> assertThat(source.ownsProcesses()).isFalse());
  }

  @Test
  void anUnreadableKubeconfigIsAnErrorAndNoReasonToLookElsewhere() {
    Map<String, String> environment =
        Map.of("VERTLET_IT_KUBECONFIG", dir + "/absent", "KUBEBUILDER_ASSETS", dir.toString());

    assertThatThrownBy(() -> ControlPlaneSource.find(environment))
        .hasMessage("VERTLET_IT_KUBECONFIG=%s/absent: must be a readable kubeconfig", dir);
  }

  @Test
  void assetsWithoutControllersAreEnough() throws IOException {
    executables("etcd", "kube-apiserver", "kubectl");

    Optional<ControlPlaneSource> found =
        ControlPlaneSource.find(Map.of("KUBEBUILDER_ASSETS", dir.toString()));

    assertThat(found)
        .hasValueSatisfying(
            source -> {
              assertThat(source.hasControllers()).isFalse();
              assertThat(source.ownsProcesses()).isTrue();
            });
  }

  @Test
  void assetsWithBothControllersHaveThem() throws IOException {
    executables("etcd", "kube-apiserver", "kubectl", "kube-controller-manager", "kube-scheduler");

    assertThat(ControlPlaneSource.find(Map.of("KUBEBUILDER_ASSETS", dir.toString())))
        .hasValueSatisfying(source -> assertThat(source.hasControllers()).isTrue());
  }

  @Test
  void incompleteAssetsAreAnErrorThatNamesWhatIsMissing() throws IOException {
    executables("etcd");
    Files.createFile(dir.resolve("kubectl")); // there, but not executable

    assertThatThrownBy(() -> ControlPlaneSource.find(Map.of("KUBEBUILDER_ASSETS", dir.toString())))
        .hasMessage(
            "KUBEBUILDER_ASSETS=%s: must be a folder with the executables etcd, kube-apiserver and kubectl;"
                + " missing: kube-apiserver, kubectl",
            dir);
  }

  @Test
  void withNothingSetAndNoGoThereIsNoSource() {
    assertThat(
            ControlPlaneSource.find(
                Map.of(
                    "KUBEBUILDER_ASSETS",
                    " ",
                    "PATH",
                    dir.toString(),
                    "XDG_CACHE_HOME",
                    dir.toString())))
        .isEmpty();
  }

  @Test
  void aRecentGoOnThePathMakesTheModuleTheSource() throws IOException {
    fakeGo("go version go1.26.8 linux/amd64");

    Optional<ControlPlaneSource> found =
        ControlPlaneSource.find(Map.of("PATH", dir.toString(), "XDG_CACHE_HOME", "/cache"));

    assertThat(found)
        .hasValueSatisfying(
            source -> {
              var module = (ControlPlaneSource.GoModule) source;
              assertThat(module.folder()).endsWith(Path.of("load-tests", "kubernetes"));
              assertThat(module.cache()).isEqualTo(Path.of("/cache/vertlet/kubernetes"));
            });
  }

  @Test
  void anOldGoIsAsGoodAsNone() throws IOException {
    fakeGo("go version go1.22.1 linux/amd64");

    assertThat(
            ControlPlaneSource.find(
                Map.of("PATH", dir.toString(), "XDG_CACHE_HOME", dir.toString())))
        .isEmpty();
  }

  private void executables(String... names) throws IOException {
    for (String name : names) {
      executable(name, "");
    }
  }

  private void fakeGo(String version) throws IOException {
    executable("go", "#!/bin/sh\necho " + version + "\n");
  }

  private void executable(String name, String content) throws IOException {
    Path file = Files.writeString(dir.resolve(name), content);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
