package dev.vertlet.process;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.files.Workers;
import dev.vertlet.process.shim.Exit;
import dev.vertlet.process.shim.KeyValues;
import dev.vertlet.process.shim.Message;
import dev.vertlet.process.shim.ShimClient;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows containers through their shims and reports their ends. Used by the shard's loop alone.
 */
final class InstanceWatcher {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceWatcher.class);

  /** Until a shim that lives is asked again after its connection was lost. */
  private static final long RECONNECT_MILLIS = 1000;

  private final Vertx vertx;
  private final Workers workers;
  private final ShimClient client;
  private final Launcher launcher;
  private final RuntimeListener listener;

  /** Control groups that were still in use when their containers had ended. */
  private final List<Cgroup> leftCgroups = new ArrayList<>();

  InstanceWatcher(Vertx vertx, ShimClient client, Launcher launcher, RuntimeListener listener) {
    this.vertx = vertx;
    this.workers = new Workers(vertx);
    this.client = client;
    this.launcher = launcher;
    this.listener = listener;
  }

  /** Calls the listener, unless the instance is not this agent's any more. */
  void report(Instance instance) {
    if (!instance.forgotten()) {
      listener.containerChanged(instance.pod(), instance.record());
    }
    if (instance.ended()) {
      over(instance);
    }
  }

  /** Clears up after an instance whose end is known. */
  void over(Instance instance) {
    instance.endReported();
    removeCgroups(instance.stored().cgroups());
  }

  /** Tries once more to remove groups that were in use. */
  void removeLeftCgroups() {
    List<Cgroup> left = List.copyOf(leftCgroups);
    leftCgroups.clear();
    removeCgroups(left);
  }

  private void removeCgroups(List<Cgroup> groups) {
    if (groups.isEmpty()) {
      return;
    }
    workers
        .run(
            () -> {
              for (Cgroup group : groups) {
                group.remove();
              }
            })
        .onFailure(inUse -> leftCgroups.addAll(groups));
  }

  /** Waits for the container's end on a connection to its shim. */
  void watch(Instance instance) {
    if (instance.forgotten()) {
      return;
    }
    client
        .open(
            instance.stored().socket(),
            Message.of(Message.WATCH),
            message -> {
              if (message.type() == Message.END) {
                ended(instance, Exit.of(KeyValues.parse(message.text())));
              }
            },
            closed -> {
              instance.connected(null);
              look(instance);
            })
        .onSuccess(socket -> connected(instance, socket))
        .onFailure(failure -> look(instance));
  }

  private void connected(Instance instance, NetSocket socket) {
    if (instance.forgotten()) {
      socket.close();
    } else if (!instance.ended()) {
      instance.connected(socket);
    }
  }

  private void ended(Instance instance, Exit exit) {
    if (!instance.endedWith(exit)) {
      return;
    }
    if (exit.lost() || exit.droppedLines() > 0 || exit.leftProcesses() > 0) {
      LOG.atWarn()
          .addKeyValue("pod", instance.pod().display())
          .addKeyValue("container", instance.stored().name())
          .addKeyValue("shimLost", exit.lost())
          .addKeyValue("droppedLogLines", exit.droppedLines())
          .addKeyValue("leftProcesses", exit.leftProcesses())
          .log("Container did not end properly");
    }
    report(instance);
  }

  /** Finds out what has become of a container whose shim is not connected. */
  private void look(Instance instance) {
    if (instance.ended() || instance.forgotten()) {
      return;
    }
    workers
        .call(() -> launcher.look(instance.stored(), instance.directory()))
        .onComplete(
            result -> {
              Exit exit = result.succeeded() ? result.result().exit() : null;
              if (exit != null) {
                ended(instance, exit);
              } else if (!instance.forgotten()) {
                vertx.setTimer(RECONNECT_MILLIS, timer -> watch(instance));
              }
            });
  }
}
