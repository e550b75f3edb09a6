package dev.vertlet.harness.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Where a control plane comes from. */
public sealed interface ControlPlaneSource {

  /** The kubeconfig of a cluster that runs already. */
  String KUBECONFIG_VARIABLE = "VERTLET_IT_KUBECONFIG";

  /**
   * The folder of a control plane's binaries, under the name that Kubernetes' own test tools give
   * it.
   */
  String ASSETS_VARIABLE = "KUBEBUILDER_ASSETS";

  /** What to say when {@link #find} finds nothing. */
  String NONE =
      "no Kubernetes control plane: set VERTLET_IT_KUBECONFIG to a cluster's kubeconfig, or KUBEBUILDER_ASSETS to a"
          + " folder with etcd, kube-apiserver and kubectl, or put Go 1.26 or newer on PATH";

  /**
   * Looks for a source, in this order: {@value #KUBECONFIG_VARIABLE}, {@value #ASSETS_VARIABLE},
   * then the Go module {@code load-tests/kubernetes} if a fitting {@code go} is on PATH, then what
   * was built of that module before. Nothing is started or built.
   *
   * @throws ControlPlaneException when a variable is set but of no use: who sets it means it
   */
  static Optional<ControlPlaneSource> find(Map<String, String> environment) {
    String kubeconfig = environment.getOrDefault(KUBECONFIG_VARIABLE, "");
    if (!kubeconfig.isBlank()) {
      return Optional.of(External.of(Path.of(kubeconfig)));
    }
    String assets = environment.getOrDefault(ASSETS_VARIABLE, "");
    if (!assets.isBlank()) {
      return Optional.of(Assets.of(Path.of(assets)));
    }
    return GoModule.locate(environment)
        .<ControlPlaneSource>map(source -> source)
        .or(() -> Assets.cached(environment));
  }

  /** Whether a control plane from here can run kube-controller-manager and kube-scheduler. */
  boolean hasControllers();

  /** Whether the processes of a control plane from here can be killed and restarted. */
  boolean ownsProcesses();

  /**
   * A cluster that runs already and is not ours to kill.
   *
   * @param kubeconfig its kubeconfig
   */
  record External(Path kubeconfig) implements ControlPlaneSource {
    static External of(Path kubeconfig) {
      if (!Files.isReadable(kubeconfig)) {
        throw new ControlPlaneException(
            "%s=%s: must be a readable kubeconfig".formatted(KUBECONFIG_VARIABLE, kubeconfig));
      }
      return new External(kubeconfig.toAbsolutePath());
    }

    @Override
    public boolean hasControllers() {
      return true;
    }

    @Override
    public boolean ownsProcesses() {
      return false;
    }
  }

  /**
   * Binaries in a folder.
   *
   * @param programs the binaries
   */
  record Assets(Programs programs) implements ControlPlaneSource {
    static Assets of(Path folder) {
      return new Assets(Programs.in(folder, ASSETS_VARIABLE));
    }

    /** A build of the Go module's sources that was made when there was a Go. */
    static Optional<Assets> cached(Map<String, String> environment) {
      return GoBuild.sources()
          .flatMap(sources -> GoBuild.cached(sources, GoBuild.cache(environment)))
          .map(folder -> new Assets(Programs.in(folder, "cache")));
    }

    @Override
    public boolean hasControllers() {
      return programs.hasControllers();
    }

    @Override
    public boolean ownsProcesses() {
      return true;
    }
  }

  /**
   * The Go module of this repository, which has to be built first.
   *
   * @param toolchain the go command
   * @param folder the module's sources
   * @param cache where builds are kept
   */
  record GoModule(Path toolchain, Path folder, Path cache) implements ControlPlaneSource {
    static Optional<GoModule> locate(Map<String, String> environment) {
      return GoToolchain.locate(environment)
          .flatMap(
              go ->
                  GoBuild.sources()
                      .map(folder -> new GoModule(go, folder, GoBuild.cache(environment))));
    }

    Programs build(Consumer<String> progress) {
      return Programs.in(new GoBuild(this, progress).run(), folder.toString());
    }

    @Override
    public boolean hasControllers() {
      return true;
    }

    @Override
    public boolean ownsProcesses() {
      return true;
    }
  }
}
