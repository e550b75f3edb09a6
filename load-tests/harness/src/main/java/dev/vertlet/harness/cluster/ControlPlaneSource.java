package dev.vertlet.harness.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Source of a control plane. */
public sealed interface ControlPlaneSource {

  /** Variable with the kubeconfig of a running cluster. */
  String KUBECONFIG_VARIABLE = "VERTLET_IT_KUBECONFIG";

  /**
   * Variable with the folder of a control plane's binaries; Kubernetes' own test tools use this
   * name.
   */
  String ASSETS_VARIABLE = "KUBEBUILDER_ASSETS";

  /** Message when {@link #find} returns no source. */
  String NONE =
      "no Kubernetes control plane: set VERTLET_IT_KUBECONFIG to a cluster's kubeconfig, or KUBEBUILDER_ASSETS to a"
          + " folder with etcd, kube-apiserver and kubectl, or put Go 1.26 or newer on PATH";

  /**
   * Looks for a source, in this order: {@value #KUBECONFIG_VARIABLE}, {@value #ASSETS_VARIABLE},
   * the Go module {@code load-tests/kubernetes} if a recent enough {@code go} is on PATH, an
   * earlier build of that module. Starts and builds nothing.
   *
   * @throws ControlPlaneException when a variable is set to an unusable value: it is never skipped
   *     in silence
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

  /** Whether this source can run kube-controller-manager and kube-scheduler. */
  boolean hasControllers();

  /** Whether this process owns the control plane's processes and can kill and restart them. */
  boolean ownsProcesses();

  /**
   * Running cluster that this process does not own.
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

    /** Returns an earlier build of the Go module's sources, for a machine without Go. */
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
   * @param cache folder of the builds
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
