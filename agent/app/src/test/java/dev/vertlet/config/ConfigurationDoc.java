package dev.vertlet.config;

import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.config.document.SchemaNode;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletFields;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Writes docs/configuration.md: one row for each key of the schema. */
final class ConfigurationDoc {
  private static final String INTRODUCTION =
      """
      # Configuration

      <!-- Written from conf/vertlet.schema.json. To write it anew:
           mvn -pl agent/app -am test -Dtest=ConfigurationDocTest -Dsurefire.failIfNoSpecifiedTests=false -Dvertlet.docs.write=true -->

      `vertlet agent --config FILE` reads one JSON file, `conf/vertlet.json` beside the launcher by default. Every key has a
      default, so `{}` runs one node. The file is strict JSON: no comments, no duplicate keys, no unknown keys.
      `vertlet validate FILE` prints its [mistakes](commands.md). `conf/examples/` has complete files. With
      `"$schema": "./vertlet.schema.json"` editors complete and check keys.

      ## Precedence

      1. Flags of `./vertlet agent|validate`: `--kubeconfig`, `--context`, `--log-level`, and `--set path=value` for any key.
         A path is keys and list indexes with dots between them: `--set nodes.0.count=100`; `\\.` is a dot within a key. Where
         keys are free, such as loggers and labels, the rest of the path is one key with its dots:
         `--set log.levels.io.vertx=debug`. The value is JSON, else text; `null` restores the default.
      2. Environment: `VERTLET_` and the path in upper snake case, for the keys with a variable below. An empty variable sets
         nothing. A warning at start names every `VERTLET_` variable that sets no key.
      3. The file.
      4. The defaults.

      ## Variables in values

      In every text of the file, `${NAME}` is the environment variable of that name, and `${NAME:-default}` has a default for
      an unset or empty one. An unset variable without default is an error. `${NODE_NAME}` falls back to the host's name in
      lower case, so that one file serves a pod and a laptop. A number or boolean may be a text with one reference:
      `"count": "${NODES:-10}"`. `$${` is a plain `${`.

      ## Durations and quantities

      Durations are those of Go and Kubernetes: `500ms`, `10s`, `1m30s`. Quantities are Kubernetes': `500m`, `8Gi`; a plain
      number is valid, too.
      """;

  private static final String PODS_ADDRESSES =
      """

      ### Addresses of pods

      Each node assigns its pods addresses of its own slice of `podCIDR`, as wide as `podCIDRMask` says. By default a slice is
      a /18, for the 10,000 pods of a node by default; where the block is too small to give one to each node, slices get
      narrower, down to a /24, and nodes without `capacity.pods` have as many pods as their slice has addresses.
      `10.128.0.0/9` has room for 512 nodes with 10,000 pods each, 8,192 with 1,021, or 32,768 with 253. A given
      `capacity.pods` is never cut: slices are wide enough for it, or the configuration is refused.

      The node's name determines its slice and the first address, so independent agents, as with one per machine, seldom
      assign the same address twice. With many pods on many agents, give each agent a `podCIDR` of its own, or let the cluster
      allocate ranges, as below. If the names of two nodes of one agent lead to the same slice, the second gets another one. A
      node keeps its slice when the last template's count grows, as long as slices keep their width: set `podCIDRMask` where a
      count shall grow past a limit above. Templates with the same block share it and the width of its slices; overlapping
      unequal blocks are refused.

      A node whose object has `spec.podCIDRs` (kube-controller-manager writes them with `--allocate-node-cidrs`; IPv6 and dual
      stack too) assigns its simulated pods addresses of these, and of its slice when they are used up: such a range is often
      a /24, and a simulated node may have 10,000 pods. A loaded provider decides for itself: it knows the slice, and can read
      the object.

      Addresses are assigned in turn, so that a freed one rests as long as possible. After a restart of the agent, or for a
      newly acquired node, the turn continues behind the newest listed pod, ended or not.

      ### Changes of a node by others

      The agent restores changed or removed labels and annotations of the configuration. Taints are different, as with a
      kubelet, which registers with its taints: the agent writes them with the node, and again when the configuration (also a
      node's own config) changes them; a taint that others remove or change stays so, also across restarts. Additions of
      others stay.

      A resource that others add to `status.capacity`, such as an extended resource by `kubectl patch --subresource=status`,
      appears in `allocatable` at once and in full, and disappears with it. Huge pages, configured or added, are subtracted
      from allocatable memory. Unlike a kubelet that starts on a new machine, an agent keeps others' resources on the node
      when it starts.

      ### Adopted nodes

      An item with `adopt` makes no nodes: [adopt.md](adopt.md). An adopted node whose object has no `spec.podCIDR` gets a
      slice on arrival: of `100.64.0.0/10` unless `podCIDR` is set, a /24 or as wide as a given `capacity.pods` needs. Of two
      names with the same slice, the first to arrive gets it. Items that adopt may share a block; nodes that the agent makes
      have others.
      """;

  private final ConfigSchema schema = ConfigSchema.load();
  private final StringBuilder out = new StringBuilder();

  static String write() {
    ConfigurationDoc doc = new ConfigurationDoc();
    doc.out.append(INTRODUCTION);
    for (String key : doc.schema.root().keys()) {
      if (!key.startsWith("$")) {
        doc.section(List.of(key));
      }
    }
    return doc.out.toString();
  }

  private SchemaNode at(List<String> path) {
    return Objects.requireNonNull(schema.at(path), () -> "no key " + path);
  }

  private void section(List<String> path) {
    SchemaNode node = at(path);
    String key = path.get(path.size() - 1);
    out.append("\n## `").append(key).append("`\n\n");
    out.append(node.json().getString("description")).append('\n');
    if (node.keys().isEmpty() && !node.is("array")) {
      fields();
      return;
    }
    boolean list = node.is("array");
    rows(path, node, list ? key + "[]" : key);
    if (list) {
      out.append(PODS_ADDRESSES);
    }
  }

  private void rows(List<String> path, SchemaNode section, String name) {
    List<List<String>> nested = new ArrayList<>();
    SchemaNode object = section.is("array") ? Objects.requireNonNull(section.items()) : section;
    List<String> inside = new ArrayList<>(path);
    if (section.is("array")) {
      inside.add("0");
    }
    boolean variables = path.size() == 1 && !section.is("array");
    out.append("\n| key | value | default | ")
        .append(variables ? "variable | " : "")
        .append("meaning |\n");
    out.append("|---|---|---|").append(variables ? "---|" : "").append("---|\n");
    for (String key : object.keys()) {
      List<String> leaf = new ArrayList<>(inside);
      leaf.add(key);
      row(leaf, name + "." + key, variables);
      SchemaNode node = at(leaf);
      SchemaNode items = node.items();
      if (!node.keys().isEmpty() || (items != null && !items.keys().isEmpty())) {
        nested.add(leaf);
      }
    }
    for (List<String> leaf : nested) {
      String key = leaf.get(leaf.size() - 1);
      rows(leaf, at(leaf), name + "." + key + (at(leaf).is("array") ? "[]" : ""));
    }
  }

  private void fields() {
    out.append("\n| field | sets |\n|---|---|\n");
    for (KubeletField field : KubeletFields.all().values()) {
      String place =
          field.name().equals(KubeletFields.PORT)
              ? "/server/portRange"
              : field.place().replace("/nodes/-", "/nodes[]");
      if (!place.isEmpty()) {
        out.append("| ").append(code(field.name())).append(" | ");
        out.append(code(place.substring(1).replace('/', '.'))).append(" |\n");
      }
    }
  }

  private void row(List<String> path, String name, boolean variables) {
    SchemaNode node = at(path);
    JsonObject json = node.json();
    String variable = node.isScalar() ? code(EnvironmentSettings.variable(path)) : "–";
    out.append("| ").append(code(name)).append(" | ").append(cell(node.allowed())).append(" | ");
    out.append(json.containsKey("default") ? code(Json.encode(json.getValue("default"))) : "–");
    out.append(" | ").append(variables ? variable + " | " : "");
    out.append(cell(json.getString("description"))).append(example(json)).append(" |\n");
  }

  private static String example(JsonObject json) {
    JsonArray examples = json.getJsonArray("examples");
    return examples == null ? "" : " Example: " + code(Json.encode(examples.getValue(0))) + ".";
  }

  private static String code(String text) {
    return "`" + text.replace("|", "\\|") + "`";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }
}
