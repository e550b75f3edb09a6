package dev.vertlet.backend;

import dev.vertlet.kubelet.pod.ContainerListener;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links the logs that a runtime keeps in files, as a kubelet does for log collectors: {@code
 * <pod>_<namespace>_<container>-<id>.log}. A link without its log is removed within a minute.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime">
 *     legacyLogSymlink and its garbage collection, Kubernetes 1.36.3</a>
 */
final class LogLinks implements ContainerListener {
  /** Period of sweeps, the ContainerGCPeriod of kubelets. */
  private static final long SWEEP_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(LogLinks.class);

  private final Vertx vertx;
  private final Path directory;
  private final ContainerRuntime runtime;
  private final long timer;
  private boolean logged;

  /**
   * @param directory {@code agent.containerLogsDir}; created with the first link
   */
  LogLinks(Vertx vertx, Path directory, ContainerRuntime runtime) {
    this(vertx, directory, runtime, SWEEP_MILLIS);
  }

  LogLinks(Vertx vertx, Path directory, ContainerRuntime runtime, long sweepMillis) {
    this.vertx = vertx;
    this.directory = directory;
    this.runtime = runtime;
    this.timer = vertx.setPeriodic(sweepMillis, id -> blocking(this::sweep));
  }

  @Override
  public void started(PodView pod, ContainerRecord container) {
    try {
      Path log = runtime.logFile(pod.ref(), container.id());
      if (log != null) {
        blocking(() -> link(name(pod, container), log));
      }
    } catch (RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  @Override
  public void stop() {
    vertx.cancelTimer(timer);
  }

  static String name(PodView pod, ContainerRecord record) {
    int scheme = record.id().indexOf("://");
    String id = scheme < 0 ? record.id() : record.id().substring(scheme + 3);
    return "%s_%s_%s-%s.log"
        .formatted(pod.name(), pod.namespace(), record.name(), id.replace('/', '_'));
  }

  /** A file task whose first failure is logged. */
  private interface FileTask {
    void run() throws IOException;
  }

  private void blocking(FileTask task) {
    vertx
        .executeBlocking(
            () -> {
              task.run();
              return null;
            })
        .onFailure(this::failed);
  }

  private void failed(Throwable failure) {
    if (!logged) {
      logged = true;
      LOG.atWarn()
          .addKeyValue("directory", directory)
          .addKeyValue("error", failure.toString())
          .log("container logs cannot be linked");
    }
  }

  private void link(String name, Path log) throws IOException {
    Files.createDirectories(directory);
    Path link = directory.resolve(name);
    try {
      Files.createSymbolicLink(link, log);
    } catch (FileAlreadyExistsException e) {
      // a link of this instance from before a restart of the agent
      Files.delete(link);
      Files.createSymbolicLink(link, log);
    }
  }

  private void sweep() throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (DirectoryStream<Path> links = Files.newDirectoryStream(directory, "*.log")) {
      for (Path link : links) {
        if (Files.isSymbolicLink(link) && !Files.exists(link)) {
          Files.deleteIfExists(link);
        }
      }
    }
  }
}
