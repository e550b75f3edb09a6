package dev.vertlet.cri.container;

import dev.vertlet.cri.wire.ContainerdEvents;
import dev.vertlet.cri.wire.GrpcChannel;
import dev.vertlet.cri.wire.GrpcChannel.Subscription;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventResponse;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventType;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices what happens to containers (a kubelet's PLEG). Events are hints, upon which the runtime
 * is asked for the state: those of CRI, and those of containerd itself, which come earlier. The
 * runtime is listed on every connect, every 30 s, and every second while neither service of events
 * is there. A service that the runtime lacks is tried again after each reconnection, since the
 * runtime may have been replaced by a newer one. Confined to the shard's loop.
 */
public final class LifecycleEvents {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleEvents.class);

  /** Interval of lists while events come (kubelet: eventedPlegRelistPeriod is 300 s). */
  private static final Duration WITH_EVENTS = Duration.ofSeconds(30);

  /** Interval of lists without events (kubelet: genericPlegRelistPeriod). */
  private static final Duration WITHOUT_EVENTS = Duration.ofSeconds(1);

  private static final long FIRST_RETRY_MILLIS = 100;
  private static final long LONGEST_RETRY_MILLIS = 3000;

  /** How long a container is asked for whose process has ended. */
  private static final long END_PATIENCE_MILLIS = 2000;

  private final Vertx vertx;
  private final RuntimeService runtime;
  private final GrpcChannel streams;
  private final PodCache cache;
  private final Inspector inspector;
  private final Relist relist;
  private final Runnable listed;
  private final List<Source> sources = new ArrayList<>();
  private @Nullable Long timer;
  private boolean stopped;

  /** A service of events. */
  private final class Source {
    private final String name;
    private final Supplier<Subscription> subscribe;
    private @Nullable Subscription current;
    private long pause = FIRST_RETRY_MILLIS;
    private boolean missing;

    /** Connections made when the runtime last said that it has no such service. */
    private long missingAt;

    Source(String name, Supplier<Subscription> subscribe) {
      this.name = name;
      this.subscribe = subscribe;
    }

    void open() {
      if (stopped) {
        return;
      }
      Subscription opened = subscribe.get();
      current = opened;
      long began = System.nanoTime();
      opened
          .end()
          .onComplete(
              end -> {
                current = null;
                closed(end.cause(), Duration.ofNanos(System.nanoTime() - began));
              });
    }

    private void closed(@Nullable Throwable failure, Duration lasted) {
      if (stopped) {
        return;
      }
      boolean brief = lasted.toMillis() <= LONGEST_RETRY_MILLIS;
      if (brief && isRefusal(failure)) {
        missing = true;
        missingAt = runtime.connections();
        rearm();
        return;
      }
      if (!brief) {
        pause = FIRST_RETRY_MILLIS;
      }
      vertx.setTimer(
          pause,
          again -> {
            open();
            run(); // for what has happened meanwhile
          });
      pause = Math.min(pause * 2, LONGEST_RETRY_MILLIS);
    }

    /**
     * Whether the runtime will not send events before it is replaced. One whose events are switched
     * off may also end the stream without an error.
     */
    private boolean isRefusal(@Nullable Throwable failure) {
      if (failure == null || GrpcException.isUnimplemented(failure)) {
        return true;
      }
      boolean refused =
          !GrpcException.is(failure, GrpcStatus.UNAVAILABLE)
              && !GrpcException.is(failure, GrpcStatus.INTERNAL);
      if (refused) {
        LOG.atWarn()
            .addKeyValue("service", name)
            .addKeyValue("problem", failure.getMessage())
            .log("the container runtime refuses to send events");
      }
      return refused;
    }

    /** Tries a missing service again if there is another connection since. */
    void retryIfReconnected() {
      if (missing && runtime.connections() != missingAt) {
        missing = false;
        open();
      }
    }

    void close() {
      Subscription open = current;
      if (open != null) {
        open.cancel().run();
      }
    }
  }

  /**
   * @param listed called after each list
   */
  public LifecycleEvents(
      Vertx vertx,
      RuntimeService runtime,
      GrpcChannel streams,
      PodCache cache,
      Inspector inspector,
      Relist relist,
      Runnable listed) {
    this.vertx = vertx;
    this.runtime = runtime;
    this.streams = streams;
    this.cache = cache;
    this.inspector = inspector;
    this.relist = relist;
    this.listed = listed;
  }

  /** Begins to listen and to list. */
  public void start() {
    sources.add(new Source("GetContainerEvents", () -> runtime.containerEvents(this::event)));
    sources.add(
        new Source(
            "containerd.services.events.v1",
            () -> ContainerdEvents.exits(streams, this::processEnded)));
    sources.forEach(Source::open);
    rearm();
  }

  public void stop() {
    stopped = true;
    disarm();
    sources.forEach(Source::close);
  }

  private void event(ContainerEventResponse event) {
    boolean end = event.containerEventType() == ContainerEventType.CONTAINER_STOPPED_EVENT;
    if (end) {
      processEnded(event.containerId());
    } else if (event.containerEventType() == ContainerEventType.CONTAINER_DELETED_EVENT
        && (cache.podOf(event.containerId()) != null || cache.hasSandbox(event.containerId()))) {
      run();
    }
  }

  private void processEnded(String id) {
    CachedPod pod = cache.podOf(id);
    CachedContainer container = pod == null ? null : pod.container(id);
    if (pod != null && container != null) {
      if (!container.ended()) {
        inspector
            .awaitEnd(pod, container, END_PATIENCE_MILLIS)
            .onFailure(failure -> LOG.debug("a container's end is left to the next list", failure));
      }
    } else if (cache.hasSandbox(id)) {
      run();
    }
  }

  /** Lists now. */
  private void run() {
    if (stopped) {
      return;
    }
    relist
        .run()
        .onComplete(
            done -> {
              if (done.failed()) {
                LOG.debug("the container runtime cannot be listed", done.cause());
              } else if (!stopped) {
                sources.forEach(Source::retryIfReconnected);
                listed.run();
              }
              rearm();
            });
  }

  private void rearm() {
    disarm();
    if (!stopped) {
      boolean events = sources.stream().anyMatch(source -> !source.missing);
      Duration interval = events && relist.done() ? WITH_EVENTS : WITHOUT_EVENTS;
      timer = vertx.setTimer(interval.toMillis(), due -> run());
    }
  }

  private void disarm() {
    Long armed = timer;
    if (armed != null) {
      vertx.cancelTimer(armed);
      timer = null;
    }
  }
}
