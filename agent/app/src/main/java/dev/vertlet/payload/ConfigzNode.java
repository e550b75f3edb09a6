package dev.vertlet.payload;

import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.config.node.Reserved;
import dev.vertlet.eviction.Amount;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.eviction.Threshold;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Settings of one node under a kubelet's configuration keys. */
final class ConfigzNode {
  private ConfigzNode() {}

  static JsonObject of(ConfiguredNode node) {
    NodeSpec spec = node.spec();
    JsonObject json =
        new JsonObject()
            .put("registerNode", true)
            .put("registerWithTaints", taints(spec.taints()))
            .put("maxPods", Quantities.units(spec.allocatable().getOrDefault("pods", "0")))
            .put("podCIDR", spec.podCidr())
            .put("providerID", "")
            .put("kubeAPIQPS", node.api().perSecond())
            .put("kubeAPIBurst", node.api().burst())
            .put("eventRecordQPS", node.events().perSecond())
            .put("eventBurst", node.events().burst());
    reserved(json, node.reserved());
    eviction(json, node.eviction());
    images(json, node.imageGc());
    return json;
  }

  private static JsonArray taints(List<TaintView> taints) {
    JsonArray array = new JsonArray();
    for (TaintView taint : taints) {
      JsonObject json = new JsonObject().put("key", taint.key());
      if (!taint.value().isEmpty()) {
        json.put("value", taint.value());
      }
      array.add(json.put("effect", taint.effect()));
    }
    return array;
  }

  private static void reserved(JsonObject json, Reserved reserved) {
    some(json, "kubeReserved", object(reserved.kubeReserved()));
    some(json, "systemReserved", object(reserved.systemReserved()));
  }

  private static JsonObject object(Map<String, String> texts) {
    JsonObject json = new JsonObject();
    texts.forEach(json::put);
    return json;
  }

  private static void eviction(JsonObject json, EvictionOptions options) {
    Function<Threshold, @Nullable String> amount = threshold -> threshold.value().written();
    List<Threshold> all = options.thresholds();
    // without any hard threshold a kubelet would apply its defaults
    json.put("evictionHard", bySignal(all, Threshold::hard, amount));
    some(json, "evictionSoft", bySignal(all, soft(), amount));
    some(
        json,
        "evictionSoftGracePeriod",
        bySignal(all, soft(), threshold -> GoDuration.format(threshold.grace())));
    some(json, "evictionMinimumReclaim", bySignal(all, any -> true, ConfigzNode::reclaim));
    json.put("evictionMaxPodGracePeriod", options.maxPodGrace().toSeconds())
        .put("evictionPressureTransitionPeriod", GoDuration.format(options.transitionPeriod()));
  }

  private static Predicate<Threshold> soft() {
    return threshold -> !threshold.hard();
  }

  private static @Nullable String reclaim(Threshold threshold) {
    Amount more = threshold.minReclaim();
    return more == null ? null : more.written();
  }

  private static JsonObject bySignal(
      List<Threshold> thresholds,
      Predicate<Threshold> which,
      Function<Threshold, @Nullable String> what) {
    JsonObject json = new JsonObject();
    for (Threshold threshold : thresholds) {
      String text = which.test(threshold) ? what.apply(threshold) : null;
      if (text != null) {
        json.put(threshold.signal().key(), text);
      }
    }
    return json;
  }

  private static void images(JsonObject json, ImageGcOptions options) {
    json.put("imageGCHighThresholdPercent", options.highThresholdPercent())
        .put("imageGCLowThresholdPercent", options.lowThresholdPercent())
        .put("imageMinimumGCAge", GoDuration.format(options.minimumAge()))
        .put("imageMaximumGCAge", GoDuration.format(options.maximumAge()));
  }

  private static void some(JsonObject json, String key, JsonObject value) {
    if (!value.isEmpty()) {
      json.put(key, value);
    }
  }
}
