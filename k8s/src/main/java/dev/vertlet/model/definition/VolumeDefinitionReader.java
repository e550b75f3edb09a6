package dev.vertlet.model.definition;

import static dev.vertlet.model.definition.PodDefinitionReader.flag;
import static dev.vertlet.model.definition.PodDefinitionReader.mode;
import static dev.vertlet.model.definition.PodDefinitionReader.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.LabelSelector;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.definition.VolumeDefinition.Downward;
import dev.vertlet.model.definition.VolumeDefinition.DownwardItem;
import dev.vertlet.model.definition.VolumeDefinition.EmptyDir;
import dev.vertlet.model.definition.VolumeDefinition.Files;
import dev.vertlet.model.definition.VolumeDefinition.HostPath;
import dev.vertlet.model.definition.VolumeDefinition.Item;
import dev.vertlet.model.definition.VolumeDefinition.Keys;
import dev.vertlet.model.definition.VolumeDefinition.Other;
import dev.vertlet.model.definition.VolumeDefinition.Projection;
import dev.vertlet.model.definition.VolumeDefinition.Source;
import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.model.definition.VolumeDefinition.TrustBundle;
import dev.vertlet.model.definition.VolumeDefinition.Unsupported;
import dev.vertlet.model.reference.ReferredKind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads one volume of a {@link PodDefinition}. */
final class VolumeDefinitionReader {
  /** Default of the API for the modes of files. */
  private static final int DEFAULT_MODE = 0644;

  /** Default of the API for the life of a token, seconds. */
  private static final long TOKEN_LIFE = 3600;

  private VolumeDefinitionReader() {}

  static VolumeDefinition read(JsonNode volume) {
    String kind = "";
    for (Iterator<String> fields = volume.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      kind = field.equals("name") ? kind : field;
    }
    return new VolumeDefinition(text(volume, "name"), kind, source(kind, volume.path(kind)));
  }

  private static Source source(String kind, JsonNode source) {
    return switch (kind) {
      case "configMap" -> files(source, keys(source, ReferredKind.CONFIG_MAP, "name"));
      case "secret" -> files(source, keys(source, ReferredKind.SECRET, "secretName"));
      case "downwardAPI" -> files(source, downward(source));
      case "projected" -> {
        List<Projection> projections = new ArrayList<>();
        source.path("sources").forEach(part -> projections.add(projection(part)));
        yield files(source, projections.toArray(Projection[]::new));
      }
      case "emptyDir" -> new EmptyDir(text(source, "medium"), text(source, "sizeLimit"));
      case "hostPath" -> new HostPath(text(source, "path"), text(source, "type"));
      default -> new Other();
    };
  }

  private static Files files(JsonNode source, Projection... projections) {
    Integer mode = mode(source, "defaultMode");
    return new Files(mode == null ? DEFAULT_MODE : mode, List.of(projections));
  }

  private static Projection projection(JsonNode part) {
    Iterator<String> fields = part.fieldNames();
    String kind = fields.hasNext() ? fields.next() : "";
    JsonNode source = part.path(kind);
    return switch (kind) {
      case "configMap" -> keys(source, ReferredKind.CONFIG_MAP, "name");
      case "secret" -> keys(source, ReferredKind.SECRET, "name");
      case "downwardAPI" -> downward(source);
      case "serviceAccountToken" ->
          new Token(
              text(source, "audience"),
              source.path("expirationSeconds").asLong(TOKEN_LIFE),
              text(source, "path"));
      case "clusterTrustBundle" -> trustBundle(source);
      default -> new Unsupported(kind);
    };
  }

  private static TrustBundle trustBundle(JsonNode source) {
    JsonNode selector = source.path("labelSelector");
    return new TrustBundle(
        text(source, "name"),
        text(source, "signerName"),
        selector.isObject() ? LabelSelector.read(selector) : null,
        flag(source, "optional", false),
        text(source, "path"));
  }

  private static Keys keys(JsonNode source, ReferredKind kind, String nameField) {
    List<Item> items = new ArrayList<>();
    source
        .path("items")
        .forEach(
            item -> items.add(new Item(text(item, "key"), text(item, "path"), mode(item, "mode"))));
    return new Keys(kind, text(source, nameField), flag(source, "optional", false), items);
  }

  private static Downward downward(JsonNode source) {
    List<DownwardItem> items = new ArrayList<>();
    source
        .path("items")
        .forEach(
            item ->
                items.add(new DownwardItem(text(item, "path"), from(item), mode(item, "mode"))));
    return new Downward(items);
  }

  private static ValueFrom from(JsonNode item) {
    JsonNode field = item.path("fieldRef");
    if (field.isObject()) {
      return new ValueFrom.Field(field.path("apiVersion").asText("v1"), text(field, "fieldPath"));
    }
    JsonNode resource = item.path("resourceFieldRef");
    return new ValueFrom.Resource(
        text(resource, "containerName"), text(resource, "resource"), text(resource, "divisor"));
  }
}
