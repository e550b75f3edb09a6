package dev.vertlet.config.node;

import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.config.process.Host;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.problem.Problems;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.node.NodeSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Expands templates into nodes: names, labels, capacity, addresses and pod CIDRs. */
public final class NodePlanner {
  private static final int MOST_NODES = 50_000;

  private final List<NodeTemplate> templates;
  private final Map<String, String> usualCapacity;
  private final Host host;
  private final ProviderCatalog catalog;
  private final Problems problems;

  /**
   * @param usualCapacity quantities by resource, for resources that neither a template nor its
   *     provider sets
   */
  public NodePlanner(
      List<NodeTemplate> templates,
      Map<String, String> usualCapacity,
      Host host,
      ProviderCatalog catalog,
      Problems problems) {
    this.templates = templates;
    this.usualCapacity = usualCapacity;
    this.host = host;
    this.catalog = catalog;
    this.problems = problems;
  }

  /**
   * In the order of the templates; incomplete when there are problems.
   *
   * @param nodes nodes that the agent creates
   * @param adopt templates whose nodes the agent adopts
   */
  public record Plan(List<ConfiguredNode> nodes, List<AdoptConfig> adopt) {}

  public Plan plan() {
    int before = problems.size();
    List<CheckedTemplate> checked = new ArrayList<>();
    for (int i = 0; i < templates.size(); i++) {
      Problems ofTemplate = problems.at("/nodes/" + i);
      new TemplateCheck(templates.get(i), catalog, ofTemplate).run();
      checked.add(CheckedTemplate.of(i, templates.get(i), usual(templates.get(i)), ofTemplate));
    }
    checkNames();
    List<Long> pods = checked.stream().map(each -> each.resources().pods()).toList();
    List<PodCidrs.Share> shares = new PodCidrs(templates, pods, problems).divide();
    List<ConfiguredNode> nodes = new ArrayList<>();
    List<AdoptConfig> adopted = new ArrayList<>();
    for (int i = 0; i < checked.size() && problems.size() == before; i++) {
      if (templates.get(i).adopts()) {
        adopted.add(new AdoptConfig(checked.get(i), host));
      } else {
        nodes.addAll(nodes(checked.get(i), shares.get(i)));
      }
    }
    return new Plan(nodes, adopted);
  }

  private Map<String, String> usual(NodeTemplate template) {
    ProviderFactory provider = catalog.find(template.provider());
    Map<String, String> usual = new HashMap<>(usualCapacity);
    if (provider != null) {
      usual.putAll(provider.usualCapacity());
    }
    return usual;
  }

  private List<ConfiguredNode> nodes(CheckedTemplate checked, PodCidrs.Share share) {
    NodeTemplate template = checked.template();
    NodeResources resources = checked.resources().within(share.addresses());
    List<ConfiguredNode> nodes = new ArrayList<>();
    for (int n = 0; n < template.count(); n++) {
      NodeSpec spec = node(template, n, resources, share.slices().get(n));
      nodes.add(checked.node(spec, template.sources(n)));
    }
    return nodes;
  }

  private void checkNames() {
    Map<String, Integer> owners = new HashMap<>();
    int total = 0;
    for (int i = 0; i < templates.size(); i++) {
      NodeTemplate template = templates.get(i);
      if (template.adopts()) {
        continue;
      }
      total += template.count();
      if (template.count() > 1 && !template.name().contains(NodeTemplate.INDEX)) {
        refuse(i, "name", template.name(), "must contain {i} when count is " + template.count());
        continue;
      }
      for (int n = 0; n < template.count(); n++) {
        Integer owner = owners.putIfAbsent(template.nameOf(n), i);
        if (owner != null) {
          refuse(
              i,
              "name",
              template.name(),
              "names \"%s\", which /nodes/%d names too".formatted(template.nameOf(n), owner));
          break; // one mistake per template is enough
        }
      }
    }
    if (total > MOST_NODES) {
      problems.about(
          "/nodes", total + " nodes are more than the " + MOST_NODES + " one agent may have");
    }
  }

  private void refuse(int index, String key, Object value, String allowed) {
    problems.refuse("/nodes/" + index + "/" + key, value, allowed);
  }

  private NodeSpec node(NodeTemplate template, int index, NodeResources resources, String podCidr) {
    String name = template.nameOf(index);
    List<TaintView> taints = template.taints();
    return new NodeSpec(
        name,
        labels(template, name),
        template.annotations(),
        taints == null ? List.of(defaultTaint(template.provider())) : taints,
        resources.capacity(),
        resources.allocatable(),
        addresses(template, host),
        nodeInfo(template, host, name),
        podCidr);
  }

  static List<NodeAddressView> addresses(NodeTemplate template, Host host) {
    List<NodeAddressView> given = template.addresses();
    return given == null ? List.of(new NodeAddressView("InternalIP", host.address())) : given;
  }

  private static Map<String, String> labels(NodeTemplate template, String name) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("type", "virtual-kubelet");
    labels.put("kubernetes.io/os", template.operatingSystem());
    labels.put("kubernetes.io/arch", template.architecture());
    labels.put("kubernetes.io/hostname", name);
    labels.putAll(template.labels());
    return labels;
  }

  /** virtual-kubelet's taint: repels pods that do not tolerate a virtual node. */
  private static TaintView defaultTaint(String provider) {
    return new TaintView("virtual-kubelet.io/provider", provider, "NoSchedule");
  }

  /** Derives the three ids from the node's name: an agent's restart is no reboot of its nodes. */
  static Map<String, String> nodeInfo(NodeTemplate template, Host host, String name) {
    BuildInfo build = BuildInfo.get();
    Map<String, String> info = new TreeMap<>();
    info.put("kubeletVersion", build.kubeletVersion());
    info.put("containerRuntimeVersion", "vertlet://" + build.version());
    info.put("operatingSystem", template.operatingSystem());
    info.put("architecture", template.architecture());
    info.put("osImage", host.osImage());
    info.put("kernelVersion", host.kernelVersion());
    info.put("bootID", id("boot", name));
    info.put("machineID", id("machine", name).replace("-", ""));
    info.put("systemUUID", id("system", name));
    return info;
  }

  private static String id(String kind, String name) {
    return UUID.nameUUIDFromBytes(("vertlet/" + kind + "/" + name).getBytes(StandardCharsets.UTF_8))
        .toString();
  }
}
