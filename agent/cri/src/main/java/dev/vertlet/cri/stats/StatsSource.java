package dev.vertlet.cri.stats;

import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.ImageMessages.ImageFsInfoRequest;
import dev.vertlet.cri.wire.ImageMessages.ImageFsInfoResponse;
import dev.vertlet.cri.wire.ImageService;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.StatsMessages.ContainerStatsFilter;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsRequest;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsRequest;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.PodSandboxStatsFilter;
import io.vertx.core.Future;
import java.util.Map;

/** Calls that measure. Every Future fails with a {@link GrpcException}. */
public interface StatsSource {
  /** Measures all containers of the agent. */
  Future<ListContainerStatsResponse> containers();

  /** Measures all sandboxes of the agent. */
  Future<ListPodSandboxStatsResponse> sandboxes();

  /** Measures where images are. */
  Future<ImageFsInfoResponse> images();

  /**
   * Returns the calls of a runtime.
   *
   * @param selector labels of everything of the agent
   */
  static StatsSource of(RuntimeService runtime, ImageService images, Map<String, String> selector) {
    return new StatsSource() {
      @Override
      public Future<ListContainerStatsResponse> containers() {
        return runtime.listContainerStats(
            new ListContainerStatsRequest(new ContainerStatsFilter("", "", selector)));
      }

      @Override
      public Future<ListPodSandboxStatsResponse> sandboxes() {
        return runtime.listPodSandboxStats(
            new ListPodSandboxStatsRequest(new PodSandboxStatsFilter("", selector)));
      }

      @Override
      public Future<ImageFsInfoResponse> images() {
        return images.imageFsInfo(new ImageFsInfoRequest());
      }
    };
  }
}
