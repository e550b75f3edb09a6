package dev.vertlet.kubelet;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the fake runtime has of one pod. */
public final class FakePod {
  final PodRef ref;
  final String node;
  @Nullable SandboxRecord sandbox;
  final Map<String, ContainerRecord> newest = new LinkedHashMap<>();

  /** Those that have ended and were followed by another, oldest first. */
  final List<ContainerRecord> former = new ArrayList<>();

  FakePod(PodRef ref, String node) {
    this.ref = ref;
    this.node = node;
  }

  @Nullable ContainerRecord byId(String id) {
    for (ContainerRecord record : newest.values()) {
      if (record.id().equals(id)) {
        return record;
      }
    }
    return null;
  }

  public RuntimePod view() {
    List<ContainerRecord> records = new ArrayList<>(former);
    records.addAll(newest.values());
    return new RuntimePod(ref, node, sandbox, records);
  }
}
