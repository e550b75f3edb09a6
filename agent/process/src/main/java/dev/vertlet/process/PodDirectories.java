package dev.vertlet.process;

import dev.vertlet.host.files.Directories;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.process.store.StoredPod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the runtime keeps what it knows. Every method blocks, and fails with an {@link
 * IOException}.
 *
 * <p>{@code PODS/UID/process/pod.json} is a pod, {@code PODS/UID/process/CONTAINER/ATTEMPT/} an
 * instance of one of its containers, where the shim keeps its state, its end and its log.
 *
 * @param pods the directory of all pods
 */
record PodDirectories(Path pods) {
  private static final String OWN = "process";

  Path pod(String uid) {
    return pods.resolve(uid).resolve(OWN);
  }

  Path container(String uid, String name, int attempt) {
    return pod(uid).resolve(name).resolve(Integer.toString(attempt));
  }

  /** Directories of all pods of this runtime. */
  List<Path> allPods() throws IOException {
    List<Path> own = new ArrayList<>();
    for (Path pod : Directories.children(pods)) {
      if (Files.exists(pod.resolve(OWN).resolve(StoredPod.FILE))) {
        own.add(pod.resolve(OWN));
      }
    }
    return own;
  }

  /** Directories of all instances of a pod's containers. */
  static List<Path> instances(Path pod) throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path container : Directories.children(pod)) {
      for (Path instance : Directories.children(container)) {
        if (Files.exists(instance.resolve(StoredContainer.FILE))) {
          all.add(instance);
        }
      }
    }
    return all;
  }
}
