package dev.vertlet.configsync;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.model.Timestamps;
import dev.vertlet.problem.IgnoredField;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Details of a node's config, in the annotation {@code vertlet.dev/config-status-detail}. Not
 * covered by compatibility promises.
 *
 * @param trialEndsAt null without a trial
 * @param ignored fields that the payload sets and the node ignores
 * @param restartedVerticles names, of the last change
 * @param lastChange {@code hot} or {@code exit}; empty before the first change
 * @param observedSourceHash see {@link #hash}; empty without a declared source
 */
record ConfigDetail(
    Channel channel,
    @Nullable Instant trialEndsAt,
    List<IgnoredField> ignored,
    List<String> restartedVerticles,
    String lastChange,
    String observedSourceHash) {
  ConfigDetail {
    ignored = List.copyOf(ignored);
    restartedVerticles = List.copyOf(restartedVerticles);
  }

  /** Identifies a declared source: 8 hexadecimal digits, empty for none. */
  static String hash(DeclaredSource declared) {
    return declared instanceof DeclaredSource.None
        ? ""
        : "%08x".formatted(declared.toString().hashCode());
  }

  ObjectNode json() {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("channel", channel.text());
    if (trialEndsAt != null) {
      detail.put("trialEndsAt", Timestamps.format(trialEndsAt));
    }
    ArrayNode fields = detail.putArray("ignoredFields");
    ignored.forEach(field -> fields.add(field.pointer()));
    if (!ignored.isEmpty()) {
      ObjectNode because = detail.putObject("ignoredBecause");
      ignored.forEach(field -> because.withArrayProperty(field.reason()).add(field.pointer()));
    }
    restartedVerticles.forEach(detail.putArray("restartedVerticles")::add);
    if (!lastChange.isEmpty()) {
      detail.put("lastChange", lastChange);
    }
    if (!observedSourceHash.isEmpty()) {
      detail.put("observedSourceHash", observedSourceHash);
    }
    return detail;
  }
}
