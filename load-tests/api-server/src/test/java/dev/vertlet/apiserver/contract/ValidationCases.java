package dev.vertlet.apiserver.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Reads a file of cases and turns each into a test. The file names objects to begin with, then says
 * for each case what is done with one:
 *
 * <pre>
 * base pods /api/v1/namespaces/$ns/pods {"metadata":{"name":"$name"},"spec":{…}}
 *
 * # a deadline is not raised
 * update pods
 * given /spec/activeDeadlineSeconds 10
 * /spec/activeDeadlineSeconds 20
 * > 422 Pod "$name" is invalid: spec.activeDeadlineSeconds: Invalid value: 20: …
 * > FieldValueInvalid spec.activeDeadlineSeconds
 * </pre>
 *
 * <p>{@code create} sends the changed base; {@code update} creates the base with what is given, and
 * sends what the server has made of it with the other changes, to a subresource where one is named.
 * A change is a JSON pointer with a value, or with {@code -} to remove it; an item behind the last
 * one is added. What is sent is always a dry run. {@code <300 x>} stands for 300 letters x.
 *
 * <p>The expected answer is the code with the message up to its first line break, since a real
 * server adds how two specs differ, and each cause with its field.
 */
final class ValidationCases {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern REPEATED = Pattern.compile("<(\\d+) (.)>");
  private static final int MOST_CONFLICTS = 5;

  private record Base(String path, String json) {}

  private record Case(
      String title,
      String verb,
      String kind,
      String subresource,
      List<String> given,
      List<String> changes,
      List<String> expected) {}

  private final Api api;
  private final String namespace;
  private final Map<String, Base> bases;

  private ValidationCases(Api api, Map<String, Base> bases) {
    this.api = api;
    this.namespace = api.namespace();
    this.bases = bases;
  }

  /** The tests of a file. */
  static Stream<DynamicTest> of(String file, Api api) {
    Map<String, Base> bases = new TreeMap<>();
    List<Case> cases = read(lines(file), bases);
    ValidationCases here = new ValidationCases(api, bases);
    return cases.stream().map(each -> DynamicTest.dynamicTest(each.title(), () -> here.run(each)));
  }

  private static List<String> lines(String file) {
    String name = "validation/" + file + ".txt";
    try (InputStream in = ValidationCases.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Case> read(List<String> lines, Map<String, Base> bases) {
    List<Case> cases = new ArrayList<>();
    String title = "";
    for (String line : lines) {
      String rest = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("base ")) {
        String[] words = rest.split(" ", 3);
        bases.put(words[0], new Base(words[1], words[2]));
      } else if (line.startsWith("# ")) {
        title = rest;
      } else if (line.startsWith("create ") || line.startsWith("update ")) {
        String[] kind = (rest + "/").split("/", 3);
        cases.add(
            new Case(
                title,
                line.substring(0, line.indexOf(' ')),
                kind[0],
                kind[1],
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>()));
      } else if (line.startsWith("given ")) {
        cases.get(cases.size() - 1).given().add(rest);
      } else if (line.startsWith("> ")) {
        cases.get(cases.size() - 1).expected().add(rest);
      } else if (!line.isEmpty()) {
        cases.get(cases.size() - 1).changes().add(line);
      }
    }
    return cases;
  }

  private void run(Case test) {
    String name = Api.unique("c");
    String absent = Api.unique("absent");
    Base base = Objects.requireNonNull(bases.get(test.kind()), test.kind());
    String path = base.path().replace("$ns", namespace);
    ObjectNode object = (ObjectNode) json(filled(base.json(), name, absent));

    Api.Answer answer;
    if (test.verb().equals("create")) {
      change(object, test.changes(), name, absent);
      answer = send(HttpMethod.POST, path + "?dryRun=All", object);
    } else {
      change(object, ofStatus(test.given(), false), name, absent);
      send(HttpMethod.POST, path, object).is(201);
      answer = update(test, path + "/" + name, name, absent);
    }

    List<String> expected = new ArrayList<>();
    test.expected().forEach(line -> expected.add(filled(line, name, absent)));
    assertThat(told(answer)).as("%s", answer.body()).isEqualTo(expected);
  }

  private Api.Answer update(Case test, String path, String name, String absent) {
    List<String> status = ofStatus(test.given(), true);
    if (!status.isEmpty()) {
      changed(path, "/status", status, name, absent).is(200);
    }
    String subresource = test.subresource().isEmpty() ? "" : "/" + test.subresource();
    return changed(path, subresource + "?dryRun=All", test.changes(), name, absent);
  }

  /** Controllers of a control plane write the object, too. */
  private Api.Answer changed(
      String path, String where, List<String> changes, String name, String absent) {
    Api.Answer answer = null;
    for (int i = 0; i < MOST_CONFLICTS && (answer == null || answer.code() == 409); i++) {
      ObjectNode current = (ObjectNode) api.get(path).is(200).body();
      change(current, changes, name, absent);
      answer = send(HttpMethod.PUT, path + where, current);
    }
    return Objects.requireNonNull(answer);
  }

  private static List<String> ofStatus(List<String> given, boolean wanted) {
    return given.stream().filter(line -> line.startsWith("/status") == wanted).toList();
  }

  private Api.Answer send(HttpMethod method, String path, ObjectNode object) {
    return api.send(method, path, Buffer.buffer(object.toString()), "application/json");
  }

  private static List<String> told(Api.Answer answer) {
    Set<String> lines = new LinkedHashSet<>();
    String message = answer.code() < 400 ? "" : answer.text("/message");
    lines.add((answer.code() + " " + message.lines().findFirst().orElse("")).strip());
    for (JsonNode cause : answer.body().at("/details/causes")) {
      lines.add(cause.path("reason").asText() + " " + cause.path("field").asText());
    }
    return List.copyOf(lines);
  }

  private String filled(String text, String name, String absent) {
    String filled =
        text.replace("$name", name).replace("$ns", namespace).replace("$absent", absent);
    return REPEATED
        .matcher(filled)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(found.group(2).repeat(Integer.parseInt(found.group(1)))));
  }

  private void change(ObjectNode object, List<String> changes, String name, String absent) {
    for (String change : changes) {
      int space = change.indexOf(' ');
      String value = change.substring(space + 1);
      List<String> keys =
          Stream.of(change.substring(1, space).split("/", -1))
              .map(key -> key.replace("~1", "/").replace("~0", "~"))
              .toList();
      set(object, keys, value.equals("-") ? "" : filled(value, name, absent));
    }
  }

  /**
   * @param value what to set, empty to remove
   */
  private static void set(JsonNode object, List<String> keys, String value) {
    JsonNode at = object;
    for (String key : keys.subList(0, keys.size() - 1)) {
      at =
          at instanceof ObjectNode fields
              ? fields.has(key) ? fields.get(key) : fields.putObject(key)
              : at.get(Integer.parseInt(key));
    }
    String last = keys.get(keys.size() - 1);
    if (at instanceof ObjectNode fields) {
      if (value.isEmpty()) {
        fields.remove(last);
      } else {
        fields.set(last, json(value));
      }
    } else if (at instanceof ArrayNode items) {
      int index = Integer.parseInt(last);
      if (index < items.size()) {
        items.set(index, json(value));
      } else {
        items.add(json(value));
      }
    }
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
