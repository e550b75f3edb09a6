package dev.vertlet.harness.cluster;

import dev.vertlet.certificates.CertificateAuthority;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Cluster that runs already: used, never stopped. */
final class ExternalControlPlane implements ControlPlane {
  private final Kubectl kubectl;

  private ExternalControlPlane(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  static ExternalControlPlane connect(
      ControlPlaneSource.External source, ControlPlaneOptions options) {
    String executable = kubectl(System.getenv(), options);
    ExternalControlPlane plane =
        new ExternalControlPlane(new Kubectl(executable, source.kubeconfig()));
    plane.kubectl("get", "--raw", "/readyz");
    return plane;
  }

  /** Finds kubectl in the assets folder or on PATH, or builds it. */
  private static String kubectl(Map<String, String> environment, ControlPlaneOptions options) {
    String assets = environment.getOrDefault(ControlPlaneSource.ASSETS_VARIABLE, "");
    if (!assets.isBlank()) {
      return Programs.in(Path.of(assets), ControlPlaneSource.ASSETS_VARIABLE)
          .path(Programs.KUBECTL);
    }
    return GoToolchain.onPath(Programs.KUBECTL, environment)
        .map(Path::toString)
        .or(
            () ->
                ControlPlaneSource.GoModule.locate(environment)
                    .map(module -> module.build(options.progress()))
                    .or(
                        () ->
                            ControlPlaneSource.Assets.cached(environment)
                                .map(ControlPlaneSource.Assets::programs))
                    .map(programs -> programs.path(Programs.KUBECTL)))
        .orElseThrow(
            () ->
                new ControlPlaneException(
                    "no kubectl: put it on PATH, or set KUBEBUILDER_ASSETS, or put Go 1.26 or newer"
                        + " on PATH"));
  }

  @Override
  public Path kubeconfig() {
    return kubectl.kubeconfig();
  }

  @Override
  public String kubectl(String... arguments) {
    return kubectl.run(List.of(arguments));
  }

  @Override
  public Path kubectlProgram() {
    return Path.of(kubectl.executable());
  }

  @Override
  public Optional<CertificateAuthority> authority() {
    return Optional.empty();
  }

  @Override
  public Optional<Path> auditLog() {
    return Optional.empty();
  }

  @Override
  public Map<String, ProcessHandle> processes() {
    return Map.of();
  }

  @Override
  public Optional<Path> schedulerKubeconfig() {
    return Optional.empty();
  }

  @Override
  public boolean hasControllers() {
    return true;
  }

  @Override
  public boolean ownsProcesses() {
    return false;
  }

  @Override
  public void killApiServer() {
    throw notOurs("kill");
  }

  @Override
  public void restartApiServer() {
    throw notOurs("restart");
  }

  private IllegalStateException notOurs(String verb) {
    return new IllegalStateException(
        "cannot %s the API server of %s: it was given by %s and is not ours"
            .formatted(verb, kubeconfig(), ControlPlaneSource.KUBECONFIG_VARIABLE));
  }

  @Override
  public CompletionStage<EndedProgram> endedByItself() {
    return new CompletableFuture<>();
  }

  @Override
  public void stop() {
    // keeps running: this process did not start it
  }
}
