package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.schema.Shape.Cardinality;
import dev.vertlet.apiserver.schema.Shape.Kind;
import dev.vertlet.apiserver.schema.Shape.Slot;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * OpenAPI 3 documents: the types, and for each resource that writes take {@code fieldValidation}
 * and {@code dryRun}, which is what clients look up before they leave validation to the server.
 */
public final class OpenApi {
  private static final String ROOT = "/openapi/v3";
  private static final String REFERENCE = "#/components/schemas/";

  private final Map<String, List<ResourceType>> types;

  /**
   * @param types the resources to describe
   */
  public OpenApi(Collection<ResourceType> types) {
    Map<String, List<ResourceType>> byVersion = new TreeMap<>();
    for (ResourceType type : types) {
      byVersion.computeIfAbsent(pathOf(type), path -> new java.util.ArrayList<>()).add(type);
    }
    this.types = byVersion;
  }

  private static String pathOf(ResourceType type) {
    return (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion();
  }

  /** The document at a path; an empty object when there is none. */
  public ObjectNode at(String path) {
    if (path.equals(ROOT)) {
      return index();
    }
    String version = path.startsWith(ROOT + "/") ? path.substring(ROOT.length() + 1) : "";
    return types.containsKey(version) ? document(version) : Json.object();
  }

  private ObjectNode index() {
    ObjectNode index = Json.object();
    ObjectNode paths = index.putObject("paths");
    types
        .keySet()
        .forEach(
            version -> paths.putObject(version).put("serverRelativeURL", ROOT + "/" + version));
    return index;
  }

  private ObjectNode document(String version) {
    ObjectNode document = Json.object().put("openapi", "3.0.0");
    document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.3");
    ObjectNode paths = document.putObject("paths");
    Map<String, ObjectNode> schemas = new LinkedHashMap<>();
    for (ResourceType type : types.getOrDefault(version, List.of())) {
      paths(paths, version, type);
      Schemas.standard()
          .find(type.apiVersion(), type.kind())
          .ifPresent(
              shape -> {
                describe(shape, schemas);
                typeFields(schemas.getOrDefault(shape.name(), Json.object()), type);
              });
    }
    ObjectNode components = document.putObject("components").putObject("schemas");
    schemas.forEach(components::set);
    return document;
  }

  private static void paths(ObjectNode paths, String version, ResourceType type) {
    String scope = type.namespaced() ? "/namespaces/{namespace}/" : "/";
    String collection = "/" + version + scope + type.plural();
    operation(paths.putObject(collection), "post", type);
    ObjectNode one = paths.putObject(collection + "/{name}");
    operation(one, "put", type);
    operation(one, "patch", type);
  }

  private static void operation(ObjectNode path, String method, ResourceType type) {
    ObjectNode operation = path.putObject(method);
    var parameters = operation.putArray("parameters");
    for (String name : List.of("dryRun", "fieldManager", "fieldValidation")) {
      parameters
          .addObject()
          .put("name", name)
          .put("in", "query")
          .putObject("schema")
          .put("type", "string");
    }
    operation.putObject("responses");
    operation.set("x-kubernetes-group-version-kind", kindOf(type));
  }

  private static ObjectNode kindOf(ResourceType type) {
    return Json.object()
        .put("group", type.group())
        .put("kind", type.kind())
        .put("version", type.version());
  }

  /** A resource, unlike the types inside it, also names its type. */
  private static void typeFields(ObjectNode schema, ResourceType type) {
    ObjectNode properties = Json.child(schema, "properties");
    for (String field : List.of("apiVersion", "kind")) {
      described(properties.putObject(field), Descriptions.common(field)).put("type", "string");
    }
    schema.putArray("x-kubernetes-group-version-kind").add(kindOf(type));
  }

  private static void describe(Shape shape, Map<String, ObjectNode> schemas) {
    if (schemas.containsKey(shape.name())) {
      return;
    }
    ObjectNode schema = described(Json.object(), Descriptions.of(shape)).put("type", "object");
    schemas.put(shape.name(), schema);
    ObjectNode properties = schema.putObject("properties");
    for (Map.Entry<String, Slot> field : new TreeMap<>(shape.jsonFields()).entrySet()) {
      String description = Descriptions.of(shape, field.getKey());
      properties.set(field.getKey(), described(property(field.getValue()), description));
      if (field.getValue().field().kind() == Kind.MESSAGE) {
        describe(field.getValue().shape(), schemas);
      }
    }
  }

  private static ObjectNode described(ObjectNode schema, String description) {
    return description.isEmpty() ? schema : schema.put("description", description);
  }

  private static ObjectNode property(Slot slot) {
    ObjectNode value = value(slot);
    Cardinality cardinality = slot.field().cardinality();
    if (cardinality == Cardinality.ONE) {
      return value;
    }
    ObjectNode container = Json.object();
    container.put("type", cardinality == Cardinality.LIST ? "array" : "object");
    container.set(cardinality == Cardinality.LIST ? "items" : "additionalProperties", value);
    return container;
  }

  private static ObjectNode value(Slot slot) {
    Kind kind = slot.field().kind();
    ObjectNode schema = Json.object();
    if (kind == Kind.MESSAGE) {
      schema.putArray("allOf").addObject().put("$ref", REFERENCE + slot.shape().name());
      return schema;
    }
    if (kind == Kind.INT_OR_STRING) {
      schema.put("format", "int-or-string");
      var either = schema.putArray("oneOf");
      either.addObject().put("type", "integer");
      either.addObject().put("type", "string");
      return schema;
    }
    schema.put("type", typeOf(kind));
    String format = formatOf(kind);
    if (!format.isEmpty()) {
      schema.put("format", format);
    }
    return schema;
  }

  private static String typeOf(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> "boolean";
      case INT32, INT64 -> "integer";
      case DOUBLE -> "number";
      case RAW -> "object";
      default -> "string";
    };
  }

  private static final Set<Kind> WITH_FORMAT = Set.of(Kind.INT32, Kind.INT64, Kind.DOUBLE);

  private static String formatOf(Kind kind) {
    if (kind == Kind.TIME || kind == Kind.MICRO_TIME) {
      return "date-time";
    } else if (kind == Kind.BYTES) {
      return "byte";
    } else if (!WITH_FORMAT.contains(kind)) {
      return "";
    }
    return kind == Kind.DOUBLE ? "double" : kind.goType();
  }
}
