package dev.vertlet.harness.subject;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads the definition of a {@link Peer}. */
final class PeerReader {
  private static final Set<String> KEYS =
      Set.of(
          "$schema",
          "name",
          "description",
          "command",
          "version",
          "environment",
          "nodes",
          "nodeAnnotations",
          "maxNodes",
          "files",
          "needs");

  private final Path file;
  private final JsonObject json;

  private PeerReader(Path file, JsonObject json) {
    this.file = file;
    this.json = json;
  }

  /**
   * @throws IllegalArgumentException with the file, the field, its value and what is allowed
   */
  static Peer read(Path file) {
    try {
      return new PeerReader(file, new JsonObject(Files.readString(file))).peer();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(
          "%s is no JSON object: %s".formatted(file, e.getMessage()), e);
    }
  }

  private Peer peer() {
    for (String key : json.fieldNames()) {
      if (!KEYS.contains(key)) {
        throw wrong(
            key, json.getValue(key), "is no key here; there are " + String.join(", ", keys()));
      }
    }
    return new Peer(
        text("name", json.getValue("name")),
        json.containsKey("description") ? text("description", json.getValue("description")) : "",
        words("command"),
        json.containsKey("version") ? words("version") : List.of(),
        map("environment", this::text),
        nodes(),
        map("nodeAnnotations", this::text),
        maxNodes(),
        files(),
        needs());
  }

  private List<String> words(String field) {
    List<String> words = texts(field, json.getValue(field));
    if (words.isEmpty()) {
      throw wrong(field, json.getValue(field), "must be a list of at least one word");
    }
    return words;
  }

  private static List<String> keys() {
    return KEYS.stream().sorted().toList();
  }

  private Peer.Nodes nodes() {
    Object value = json.getValue("nodes", "own");
    if ("own".equals(value)) {
      return Peer.Nodes.OWN;
    }
    if ("created".equals(value)) {
      return Peer.Nodes.CREATED;
    }
    throw wrong("nodes", value, "must be own or created");
  }

  private Optional<Integer> maxNodes() {
    Object value = json.getValue("maxNodes");
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Integer number && number >= 1) {
      return Optional.of(number);
    }
    throw wrong("maxNodes", value, "must be a whole number from 1");
  }

  private Map<String, List<String>> files() {
    Map<String, List<String>> files = map("files", this::texts);
    for (String name : files.keySet()) {
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
        throw wrong("files", name, "must be the name of a file, without directories");
      }
    }
    return files;
  }

  private List<Peer.Need> needs() {
    List<Peer.Need> needs = new ArrayList<>();
    Object value = json.getValue("needs", new JsonArray());
    if (!(value instanceof JsonArray list)) {
      throw wrong("needs", value, "must be a list");
    }
    for (int i = 0; i < list.size(); i++) {
      needs.add(need("needs." + i, list.getValue(i)));
    }
    return needs;
  }

  private Peer.Need need(String field, Object value) {
    if (value instanceof JsonObject need && need.containsKey("install")) {
      String install = text(field + ".install", need.getValue("install"));
      if (need.fieldNames().equals(Set.of("program", "install"))) {
        return new Peer.Need.Program(text(field + ".program", need.getValue("program")), install);
      }
      if (need.fieldNames().equals(Set.of("file", "install"))) {
        return new Peer.Need.File(text(field + ".file", need.getValue("file")), install);
      }
    }
    throw wrong(field, value, "must be an object of program and install, or of file and install");
  }

  private <T> Map<String, T> map(String field, BiFunction<String, @Nullable Object, T> convert) {
    Object value = json.getValue(field, new JsonObject());
    if (!(value instanceof JsonObject object)) {
      throw wrong(field, value, "must be an object");
    }
    Map<String, T> map = new LinkedHashMap<>();
    for (String key : object.fieldNames()) {
      map.put(key, convert.apply(field + "." + key, object.getValue(key)));
    }
    return map;
  }

  private List<String> texts(String field, @Nullable Object value) {
    if (!(value instanceof JsonArray list)) {
      throw wrong(field, value, "must be a list of texts");
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      Object entry = list.getValue(i);
      if (!(entry instanceof String text)) {
        throw wrong(field + "." + i, entry, "must be a text");
      }
      texts.add(text);
    }
    return texts;
  }

  private String text(String field, @Nullable Object value) {
    if (value instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw wrong(field, value, "must be a text that is not empty");
  }

  private IllegalArgumentException wrong(String field, @Nullable Object value, String allowed) {
    return new IllegalArgumentException("%s: %s: %s %s".formatted(file, field, value, allowed));
  }
}
