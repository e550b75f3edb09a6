package dev.vertlet.harness.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Executables of a control plane.
 *
 * @param folder folder with each program under its usual name
 */
record Programs(Path folder) {
  static final String ETCD = "etcd";
  static final String API_SERVER = "kube-apiserver";
  static final String CONTROLLER_MANAGER = "kube-controller-manager";
  static final String SCHEDULER = "kube-scheduler";
  static final String KUBECTL = "kubectl";

  /**
   * Returns the programs of a folder.
   *
   * @param origin source of the folder, for error messages
   * @throws ControlPlaneException when a required program is missing
   */
  static Programs in(Path folder, String origin) {
    Programs programs = new Programs(folder.toAbsolutePath());
    List<String> missing =
        Stream.of(ETCD, API_SERVER, KUBECTL).filter(name -> !programs.has(name)).toList();
    if (!missing.isEmpty()) {
      throw new ControlPlaneException(
          "%s=%s: must be a folder with the executables etcd, kube-apiserver and kubectl; missing: %s"
              .formatted(origin, folder, String.join(", ", missing)));
    }
    return programs;
  }

  boolean has(String name) {
    return Files.isExecutable(folder.resolve(name));
  }

  boolean hasControllers() {
    return has(CONTROLLER_MANAGER) && has(SCHEDULER);
  }

  String path(String name) {
    return folder.resolve(name).toString();
  }
}
