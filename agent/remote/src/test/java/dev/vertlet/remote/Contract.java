package dev.vertlet.remote;

import dev.vertlet.yaml.BoundedYaml;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** docs/openapi/remote-v1.yaml: what breaks it in a request, an answer, or a line. Thread-safe. */
final class Contract {
  private static final Path FILE = Path.of("..", "..", "docs", "openapi", "remote-v1.yaml");

  private final JsonObject document;

  /** By schema: making one takes far longer than using it. */
  private final Map<JsonObject, Validator> validators = new ConcurrentHashMap<>();

  private Contract(JsonObject document) {
    this.document = document;
  }

  static Contract read() {
    try {
      Object yaml = BoundedYaml.read(Files.readAllBytes(FILE), new CoreSchema(), false).get(0);
      return new Contract(new JsonObject(Json.encode(yaml)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The path of the contract that a request is for; null for none. */
  @Nullable String path(String target) {
    String[] asked = target.replaceAll("\\?.*", "").split("/");
    for (String path : document.getJsonObject("paths").fieldNames()) {
      String[] known = path.split("/");
      boolean fits = known.length == asked.length;
      for (int i = 0; fits && i < known.length; i++) {
        fits = known[i].startsWith("{") ? !asked[i].isEmpty() : known[i].equals(asked[i]);
      }
      if (fits) {
        return path;
      }
    }
    return null;
  }

  /**
   * What is wrong with a request.
   *
   * @param target path with query
   */
  List<String> request(String method, String target, Buffer body) {
    String path = path(target);
    JsonObject operation = path == null ? null : operation(path, method);
    if (path == null || operation == null) {
      return List.of(method + " " + target + " is not in the contract");
    }
    List<String> problems = new ArrayList<>();
    parameters(path, operation, target, problems);
    JsonObject content = operation.getJsonObject("requestBody");
    if (content == null && body.length() > 0) {
      problems.add(method + " " + path + " must have no body");
    } else if (content != null) {
      problems.addAll(against(schema(content), body, method + " " + path));
    }
    return problems;
  }

  private @Nullable JsonObject operation(String path, String method) {
    return document
        .getJsonObject("paths")
        .getJsonObject(path)
        .getJsonObject(method.toLowerCase(Locale.ROOT));
  }

  private void parameters(String path, JsonObject operation, String target, List<String> problems) {
    JsonArray all = new JsonArray();
    all.addAll(operation.getJsonArray("parameters", new JsonArray()));
    all.addAll(
        document
            .getJsonObject("paths")
            .getJsonObject(path)
            .getJsonArray("parameters", new JsonArray()));
    Set<String> known = new HashSet<>();
    Map<String, List<String>> query = query(target);
    for (Object one : all) {
      JsonObject parameter = resolved((JsonObject) one);
      String name = parameter.getString("name");
      known.add(name);
      if (parameter.getString("in").equals("query")
          && parameter.getBoolean("required", false)
          && !query.containsKey(name)) {
        problems.add(path + " must have the parameter " + name);
      }
    }
    query.keySet().stream()
        .filter(name -> !known.contains(name))
        .forEach(name -> problems.add(path + " has no parameter " + name));
  }

  private static Map<String, List<String>> query(String target) {
    Map<String, List<String>> query = new HashMap<>();
    int mark = target.indexOf('?');
    for (String pair : mark < 0 ? new String[0] : target.substring(mark + 1).split("&")) {
      String[] parts = pair.split("=", 2);
      query
          .computeIfAbsent(
              URLDecoder.decode(parts[0], StandardCharsets.UTF_8), name -> new ArrayList<>())
          .add(parts.length > 1 ? parts[1] : "");
    }
    return query;
  }

  /** What is wrong with an answer. */
  List<String> answer(String method, String target, int status, Buffer body) {
    String path = path(target);
    JsonObject operation = path == null ? null : operation(path, method);
    if (operation == null) {
      return List.of();
    }
    JsonObject responses = operation.getJsonObject("responses");
    JsonObject response = responses.getJsonObject(String.valueOf(status));
    if (response == null && status < 400) {
      return List.of(method + " " + path + " must not answer " + status);
    }
    JsonObject known = resolved(response == null ? responses.getJsonObject("default") : response);
    String where = method + " " + path + " " + status;
    if (!known.containsKey("content")) {
      return body.length() == 0 ? List.of() : List.of(where + " must have no body");
    }
    JsonObject schema = schema(known);
    return schema.isEmpty() ? List.of() : against(schema, body, where);
  }

  /** What is wrong with a line of the event stream. */
  List<String> line(Buffer line) {
    return against(
        new JsonObject().put("$ref", "#/components/schemas/Event"), line, "a line of the stream");
  }

  /** Schema of the JSON in a request or an answer; empty for other content. */
  private static JsonObject schema(JsonObject holder) {
    JsonObject json = holder.getJsonObject("content").getJsonObject("application/json");
    return json == null ? new JsonObject() : json.getJsonObject("schema");
  }

  private JsonObject resolved(JsonObject json) {
    String reference = json.getString("$ref");
    if (reference == null) {
      return json;
    }
    JsonObject place = document;
    for (String step : reference.substring(2).split("/")) {
      place = place.getJsonObject(step);
    }
    return place;
  }

  private Validator validator(JsonObject schema) {
    JsonObject whole = schema.copy().put("components", document.getJsonObject("components"));
    JsonSchemaOptions options =
        new JsonSchemaOptions()
            .setBaseUri("https://vertlet.dev/")
            .setDraft(Draft.DRAFT202012)
            .setOutputFormat(OutputFormat.Basic);
    return Validator.create(JsonSchema.of(whole), options);
  }

  private List<String> against(JsonObject schema, Buffer body, String where) {
    Object json;
    try {
      json = Json.decodeValue(body);
    } catch (RuntimeException e) {
      return List.of(where + ": no JSON");
    }
    OutputUnit outcome = validators.computeIfAbsent(schema, this::validator).validate(json);
    if (outcome.getValid()) {
      return List.of();
    }
    return outcome.getErrors().stream()
        .map(unit -> where + " " + unit.getInstanceLocation() + ": " + unit.getError())
        .toList();
  }
}
