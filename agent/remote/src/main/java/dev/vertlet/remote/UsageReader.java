package dev.vertlet.remote;

import dev.vertlet.model.Timestamps;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats;
import dev.vertlet.provider.node.ResourceStats.Cpu;
import dev.vertlet.provider.node.ResourceStats.Interface;
import dev.vertlet.provider.node.ResourceStats.Memory;
import dev.vertlet.provider.node.ResourceStats.Network;
import dev.vertlet.provider.node.ResourceStats.Swap;
import dev.vertlet.remote.client.Failures;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a kubelet's document {@code /stats/summary}. Values that it does not have are unknown.
 * Pure.
 */
final class UsageReader {
  private static final String WHERE = "GET /v1/stats/summary";

  private UsageReader() {}

  /**
   * Reads the document.
   *
   * @throws dev.vertlet.provider.failure.ProviderException if it is none
   */
  static NodeUsage read(Buffer body) {
    try {
      return read(new JsonObject(body));
    } catch (DecodeException | ClassCastException | IllegalArgumentException e) {
      throw Failures.invalid(WHERE, "is no Summary: " + e.getMessage());
    }
  }

  private static NodeUsage read(JsonObject summary) {
    JsonObject node = object(summary, "node");
    JsonObject image = object(object(node, "runtime"), "imageFs");
    Map<String, PodUsage> pods = new HashMap<>();
    for (JsonObject pod : objects(summary, "pods")) {
      String uid = object(pod, "podRef").getString("uid", "");
      if (!uid.isEmpty()) {
        pods.put(uid, pod(pod));
      }
    }
    JsonObject fs = object(node, "fs");
    return new NodeUsage(
        null,
        memory(object(node, "memory")),
        supply(fs, "availableBytes", "capacityBytes"),
        supply(fs, "inodesFree", "inodes"),
        supply(image, "availableBytes", "capacityBytes"),
        supply(image, "inodesFree", "inodes"),
        pids(object(node, "rlimit")),
        pods,
        stats(node));
  }

  private static @Nullable Supply supply(JsonObject json, String available, String capacity) {
    Long free = number(json, available);
    Long all = number(json, capacity);
    return free == null || all == null ? null : new Supply(Math.min(free, all), all);
  }

  /** The document has no capacity: what is used and what is left. */
  private static @Nullable Supply memory(JsonObject json) {
    Long free = number(json, "availableBytes");
    Long used = number(json, "workingSetBytes");
    return free == null || used == null ? null : new Supply(free, free + used);
  }

  private static @Nullable Supply pids(JsonObject json) {
    Long most = number(json, "maxpid");
    Long now = number(json, "curproc");
    return most == null || now == null ? null : new Supply(Math.max(0, most - now), most);
  }

  private static PodUsage pod(JsonObject pod) {
    List<ContainerUsage> containers = new ArrayList<>();
    for (JsonObject container : objects(pod, "containers")) {
      Long memory = number(object(container, "memory"), "workingSetBytes");
      containers.add(
          new ContainerUsage(
              container.getString("name", ""),
              memory == null ? 0 : memory,
              disk(object(container, "rootfs")),
              disk(object(container, "logs")),
              stats(container)));
    }
    Map<String, Long> volumes = new HashMap<>();
    Disk all = Disk.NONE;
    for (JsonObject volume : objects(pod, "volume")) {
      Disk used = disk(volume);
      volumes.put(volume.getString("name", ""), used.bytes());
      all = all.plus(used);
    }
    Long processes = number(object(pod, "process_stats"), "process_count");
    return new PodUsage(containers, all, processes == null ? 0 : processes, volumes, stats(pod));
  }

  private static Disk disk(JsonObject json) {
    Long bytes = number(json, "usedBytes");
    Long inodes = number(json, "inodesUsed");
    return new Disk(bytes == null ? 0 : bytes, inodes == null ? 0 : inodes);
  }

  private static ResourceStats stats(JsonObject json) {
    JsonObject cpu = object(json, "cpu");
    JsonObject memory = object(json, "memory");
    JsonObject swap = object(json, "swap");
    return new ResourceStats(
        time(json),
        cpu.isEmpty()
            ? null
            : new Cpu(number(cpu, "usageNanoCores"), number(cpu, "usageCoreNanoSeconds")),
        memory.isEmpty()
            ? null
            : new Memory(
                number(memory, "workingSetBytes"),
                number(memory, "usageBytes"),
                number(memory, "rssBytes"),
                number(memory, "pageFaults"),
                number(memory, "majorPageFaults")),
        swap.isEmpty()
            ? null
            : new Swap(number(swap, "swapUsageBytes"), number(swap, "swapAvailableBytes")),
        network(object(json, "network")));
  }

  private static @Nullable Network network(JsonObject json) {
    if (json.isEmpty()) {
      return null;
    }
    List<Interface> interfaces = new ArrayList<>();
    for (JsonObject one : objects(json, "interfaces")) {
      interfaces.add(
          new Interface(
              one.getString("name", ""),
              number(one, "rxBytes"),
              number(one, "rxErrors"),
              number(one, "txBytes"),
              number(one, "txErrors")));
    }
    return new Network(json.getString("name", ""), interfaces);
  }

  private static @Nullable Instant time(JsonObject json) {
    return json.getValue("startTime") instanceof String text ? Timestamps.parse(text) : null;
  }

  private static @Nullable Long number(JsonObject json, String key) {
    return json.getValue(key) instanceof Number number ? Long.valueOf(number.longValue()) : null;
  }

  private static JsonObject object(JsonObject json, String key) {
    return json.getValue(key) instanceof JsonObject inside ? inside : new JsonObject();
  }

  private static List<JsonObject> objects(JsonObject json, String key) {
    List<JsonObject> all = new ArrayList<>();
    if (json.getValue(key) instanceof JsonArray array) {
      array.forEach(
          one -> {
            if (one instanceof JsonObject object) {
              all.add(object);
            }
          });
    }
    return all;
  }
}
