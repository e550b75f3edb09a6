package dev.vertlet.process;

import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.process.store.StoredPod;
import dev.vertlet.provider.container.RuntimePod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pod that the runtime has. Used by the shard's loop alone. */
final class HeldPod {
  private final Map<String, Instance> instances = new LinkedHashMap<>();
  private StoredPod stored;

  HeldPod(StoredPod stored) {
    this.stored = stored;
  }

  StoredPod stored() {
    return stored;
  }

  void store(StoredPod changed) {
    stored = changed;
  }

  void add(Instance instance) {
    instances.put(instance.id(), instance);
  }

  void remove(Instance instance) {
    instances.remove(instance.id());
  }

  @Nullable Instance instance(String id) {
    return instances.get(id);
  }

  @Nullable Instance instance(String container, int attempt) {
    for (Instance instance : instances.values()) {
      StoredContainer kept = instance.stored();
      if (kept.name().equals(container) && kept.attempt() == attempt) {
        return instance;
      }
    }
    return null;
  }

  List<Instance> instances() {
    return new ArrayList<>(instances.values());
  }

  RuntimePod view() {
    return new RuntimePod(
        stored.ref(),
        stored.node(),
        stored.sandbox(),
        instances.values().stream().map(Instance::record).toList());
  }
}
