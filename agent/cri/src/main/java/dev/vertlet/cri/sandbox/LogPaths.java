package dev.vertlet.cri.sandbox;

import dev.vertlet.model.PodRef;
import java.nio.file.Path;

/**
 * Where the logs of containers are: {@code <directory>/<namespace>_<name>_<uid>/<container>/
 * <attempt>.log}, as below a kubelet's {@code /var/log/pods}, so that collectors of logs work
 * unchanged.
 *
 * @param directory absolute path
 */
public record LogPaths(Path directory) {
  /** Directory of a pod's logs. */
  public Path pod(PodRef pod) {
    return directory.resolve(pod.namespace() + "_" + pod.name() + "_" + pod.uid());
  }

  /** Path of a container's log below that of its pod, as its configuration has it. */
  public static String relative(String container, int attempt) {
    return container + "/" + attempt + ".log";
  }

  /** Path of a container's log. */
  public Path container(PodRef pod, String container, int attempt) {
    return pod(pod).resolve(relative(container, attempt));
  }
}
