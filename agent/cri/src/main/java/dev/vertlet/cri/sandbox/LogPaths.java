package dev.vertlet.cri.sandbox;

import dev.vertlet.host.files.Directories;
import dev.vertlet.model.PodRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /**
   * The UID of a pod by the name of its directory; null for one that is named otherwise. Names of
   * pods and namespaces have no underscore.
   */
  static @Nullable String uid(String directoryName) {
    String[] parts = directoryName.split("_", -1);
    return parts.length == 3 && !parts[2].isEmpty() ? parts[2] : null;
  }

  /** UIDs of pods with a directory of logs, by that directory. Blocks. */
  public Map<Path, String> uids() throws IOException {
    Map<Path, String> uids = new HashMap<>();
    for (Path each : Directories.children(directory)) {
      String uid = uid(String.valueOf(each.getFileName()));
      if (uid != null) {
        uids.put(each, uid);
      }
    }
    return uids;
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
