package dev.vertlet.cri.cgroup;

import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.StatusMessages.CgroupDriver;
import dev.vertlet.cri.wire.StatusMessages.RuntimeConfigResponse;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups of pods by the driver that the runtime names, which is asked before the first pod.
 * Confined to the context that made it.
 */
public final class DetectedCgroups implements PodCgroups {
  private static final Logger LOG = LoggerFactory.getLogger(DetectedCgroups.class);
  private static final String SYSTEMD = "systemd";
  private static final String CGROUPFS = "cgroupfs";

  private final Vertx vertx;
  private final Supplier<Future<RuntimeConfigResponse>> runtime;
  private final String root;
  private final String configured;
  private final long podPids;
  private @Nullable Future<PodCgroups> chosen;

  /**
   * @param runtime asks for its configuration
   * @param root absolute path of the group above {@code kubepods}
   * @param configured driver that is used whatever the runtime says; empty to ask
   * @param podPids most processes and threads of a pod; -1 for no limit
   */
  public DetectedCgroups(
      Vertx vertx,
      Supplier<Future<RuntimeConfigResponse>> runtime,
      String root,
      String configured,
      long podPids) {
    this.vertx = vertx;
    this.runtime = runtime;
    this.root = root;
    this.configured = configured;
    this.podPids = podPids;
  }

  /** Returns the groups; a failure is not kept. */
  private Future<PodCgroups> groups() {
    Future<PodCgroups> known = chosen;
    if (known != null) {
      return known;
    }
    Future<PodCgroups> asked = driver().compose(this::open).onFailure(failure -> chosen = null);
    if (!asked.failed()) {
      chosen = asked;
    }
    return asked;
  }

  private Future<String> driver() {
    if (!configured.isEmpty()) {
      return Future.succeededFuture(configured);
    }
    return runtime
        .get()
        .map(
            answer ->
                answer.linux() != null && answer.linux().cgroupDriver() == CgroupDriver.SYSTEMD
                    ? SYSTEMD
                    : CGROUPFS)
        .recover(
            failure ->
                GrpcException.isUnimplemented(failure)
                    ? Future.succeededFuture(CGROUPFS)
                    : Future.failedFuture(failure));
  }

  private Future<PodCgroups> open(String driver) {
    if (driver.equals(SYSTEMD)) {
      LOG.info("the runtime has the cgroup driver systemd: slices of pods have no limits");
      return Future.succeededFuture(SystemdSlices.below(root));
    }
    return KubepodsCgroups.open(vertx, root, podPids);
  }

  @Override
  public Future<String> prepare(PodView pod) {
    return groups().compose(groups -> groups.prepare(pod));
  }

  @Override
  public Future<Void> limit(PodView pod) {
    return groups().compose(groups -> groups.limit(pod));
  }

  @Override
  public Future<Void> grow(PodView pod) {
    return groups().compose(groups -> groups.grow(pod));
  }

  @Override
  public Future<Void> remove(String uid) {
    return groups().compose(groups -> groups.remove(uid));
  }

  @Override
  public Future<Set<String>> uids() {
    return groups().compose(PodCgroups::uids);
  }

  @Override
  public Future<Void> leave() {
    Future<PodCgroups> known = chosen;
    return known == null || !known.succeeded() ? Future.succeededFuture() : known.result().leave();
  }
}
