package dev.vertlet.content;

import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.VertxLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.pod.ForwardingContext;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kubelet core over a {@link ContentRuntime}: connects the contents with vertlet's services, and
 * removes the directories of pods that are gone. Confined to the shard's loop.
 */
public final class ContentCore extends ForwardingProvider {
  private static final Logger LOG = LoggerFactory.getLogger(ContentCore.class);

  private final VolumeManager contents;
  private final ContainerRuntime runtime;

  /** Pods whose deletion has begun, by UID. */
  private final Set<String> deleting = new HashSet<>();

  /**
   * Wraps a core.
   *
   * @param runtime takes new versions of contents
   */
  public ContentCore(PodProvider core, ContainerRuntime runtime, VolumeManager contents) {
    super(core);
    this.contents = contents;
    this.runtime = runtime;
  }

  @Override
  public Future<Void> start(ProviderContext context) {
    contents.start(context, new VertxLoop(context.vertx()), runtime::contentChanged);
    return super.start(new Listening(context));
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    // one that has ended by itself, while its sandbox is removed, keeps its directory: its logs are
    // asked for
    if (pod.deleting()) {
      deleting.add(pod.uid());
    }
    return super.delete(pod, grace);
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    deleting.remove(pod.uid());
    return super.kill(pod).compose(killed -> contents.gone(pod));
  }

  @Override
  public Future<Void> stop() {
    contents.stop();
    return super.stop();
  }

  /** Observes the ends of pods. */
  private final class Listening extends ForwardingContext {
    Listening(ProviderContext context) {
      super(context);
    }

    @Override
    public void report(PodReport report) {
      super.report(report);
      if (report.finished() && deleting.remove(report.pod().uid())) {
        contents.gone(report.pod()).onFailure(failure -> notRemoved(report.pod(), failure));
      }
    }

    /** A later list finds the directory. */
    private static void notRemoved(PodRef pod, Throwable failure) {
      LOG.atWarn()
          .addKeyValue("pod", pod.display())
          .addKeyValue("error", failure.toString())
          .log("directory of a pod not removed");
    }
  }
}
