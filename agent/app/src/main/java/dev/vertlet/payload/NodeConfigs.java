package dev.vertlet.payload;

import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.config.UnderFlags;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletField.Effect;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.Places;
import dev.vertlet.kubeletconfig.validation.KubeletRules;
import dev.vertlet.payload.PayloadException.Reason;
import dev.vertlet.problem.IgnoredField;
import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Effective configurations of an agent's nodes: the local one, or that with a payload. */
public final class NodeConfigs {
  /** Key that is no template's index. */
  private static final int FIRST = -1;

  private final LoadedConfig local;
  private final Map<String, ConfiguredNode> nodes;
  private final String primary;

  /** Local sections of nodes by template. */
  private final Map<Integer, JsonObject> locals = new ConcurrentHashMap<>();

  /**
   * @param local local configuration; its first node also configures the process
   */
  public NodeConfigs(LoadedConfig local) {
    this.local = local;
    List<ConfiguredNode> all = local.config().nodes();
    this.nodes = byName(all);
    this.primary = all.isEmpty() ? "" : all.get(0).spec().name();
  }

  private static Map<String, ConfiguredNode> byName(List<ConfiguredNode> nodes) {
    return nodes.stream().collect(Collectors.toMap(node -> node.spec().name(), node -> node));
  }

  /** Returns the configuration of a node without a payload. */
  public NodeConfig local(String node) {
    return local(known(node));
  }

  /** Returns the configuration of an adopted node without a payload. */
  public NodeConfig local(ConfiguredNode own) {
    JsonObject sections =
        locals.computeIfAbsent(
            own.template(),
            template -> ShownSections.of(local.underFlags(local.file()).document(), template));
    return new NodeConfig(own, 0, local.config(), sections, new JsonObject(), List.of());
  }

  /** Returns whether a node's payload decides how its kubelet is served. */
  private boolean served(boolean first) {
    return first || nodes.size() <= ServerConfig.MOST_PORTS;
  }

  /** Creates a plan for all nodes with this payload; shared values are computed once. */
  public Plan plan(Payload payload) {
    return new Plan(payload);
  }

  private ConfiguredNode known(String name) {
    ConfiguredNode node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("node " + name + " is not served here");
    }
    return node;
  }

  /** One payload, applied to the local configuration under the flags. */
  public final class Plan {
    private final Payload payload;

    /** Results by template, with that of the primary node under {@link #FIRST}. */
    private final Map<Integer, Planned> planned = new HashMap<>();

    private record Planned(
        VertletConfig config,
        JsonObject sections,
        Map<String, ConfiguredNode> nodes,
        List<IgnoredField> ignored) {}

    private Plan(Payload payload) {
      this.payload = payload;
    }

    /**
     * Returns the configuration of a node.
     *
     * @throws PayloadException with {@link Reason#VALIDATE}, or {@link Reason#LOAD} when a
     *     VertletConfiguration has an unknown key
     */
    public NodeConfig node(String name) {
      ConfiguredNode old = known(name);
      boolean first = name.equals(primary);
      Planned plan =
          planned.computeIfAbsent(
              first ? FIRST : old.template(),
              unknown -> {
                int template = old.template();
                VertletConfig config = config(template, first);
                JsonObject said = document(template, first);
                UnderFlags runs = local.underFlags(said);
                return new Planned(
                    config,
                    ShownSections.of(runs.document(), template),
                    byName(config.nodes()),
                    new IgnoredFields(payload, said, template, first, served(first), runs).find());
              });
      ConfiguredNode made = plan.nodes().get(name);
      if (made == null) {
        throw new PayloadException(
            Reason.VALIDATE, List.of("the node's template makes no node of this name any more"));
      }
      return new NodeConfig(
          made.withPodCidr(old.spec().podCidr()),
          served(first) ? port() : 0,
          plan.config(),
          plan.sections(),
          unused(),
          plan.ignored());
    }

    private VertletConfig config(int template, boolean first) {
      JsonObject document = document(template, first);
      PayloadPlaces places = new PayloadPlaces(payload, template);
      if (payload.sections() != null) {
        // sections that only the primary node uses are checked, too
        JsonObject whole = first ? document : document(template, true);
        List<Problem> malformed = places.outsideKubelet(local.malformed(whole));
        if (!malformed.isEmpty()) {
          throw places.refused(Reason.LOAD, malformed);
        }
      }
      broken(document);
      try {
        return local.with(document);
      } catch (ConfigException e) {
        throw places.refused(Reason.VALIDATE, e.problems());
      }
    }

    private JsonObject document(int template, boolean first) {
      return new PayloadDocument(
              local.file(), template, first, served(first), local.config().lease())
          .lay(payload)
          .document();
    }

    /** Applies a kubelet's validation, even to fields without an effect in vertlet. */
    private void broken(JsonObject said) {
      FeatureGates gates =
          FeatureGates.of(local.underFlags(said).document().getValue(KubeletFields.FEATURE_GATES));
      List<String> broken =
          KubeletRules.broken(payload.kubelet(), gates).stream()
              .map(problem -> problem.under(payload.prefix()).toString())
              .toList();
      if (!broken.isEmpty()) {
        throw new PayloadException(Reason.VALIDATE, broken);
      }
    }

    private int port() {
      return payload.kubelet().get(KubeletFields.all().get(List.of(KubeletFields.PORT)))
              instanceof Number port
          ? port.intValue()
          : 0;
    }

    private JsonObject unused() {
      JsonObject unused = new JsonObject();
      payload
          .kubelet()
          .forEach(
              (field, value) -> {
                if (field.effect() == Effect.IGNORED) {
                  Places.put(unused, field.path(), value);
                }
              });
      return unused;
    }
  }
}
