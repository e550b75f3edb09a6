package dev.vertlet.config.node;

import dev.vertlet.model.LabelSelectors;
import dev.vertlet.model.Names;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.problem.Problems;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks one node template on its own. */
public final class TemplateCheck {
  /** Longest node name: it is also the value of the label kubernetes.io/hostname. */
  private static final int LONGEST_NAME = 63;

  private static final int LAST_PORT = 65_535;

  private final NodeTemplate template;
  private final ProviderCatalog catalog;
  private final Problems problems;

  /**
   * @param problems whose place is the template's
   */
  public TemplateCheck(NodeTemplate template, ProviderCatalog catalog, Problems problems) {
    this.template = template;
    this.catalog = catalog;
    this.problems = problems;
  }

  public void run() {
    if (template.adopts()) {
      String selector = template.labelSelector();
      problems.rule(LabelSelectors.check(selector), "/adopt/labelSelector", selector);
    } else {
      checkName();
    }
    ProviderNames.refusal(template.provider(), catalog)
        .ifPresent(reason -> problems.refuse("/provider", template.provider(), reason));
    NodeRules.labels(template.labels(), problems.at("/labels"));
    NodeRules.keys(template.annotations(), problems.at("/annotations"));
    NodeRules.keys(template.capacity(), problems.at("/capacity"));
    checkTaints();
    checkAddresses();
    checkSources();
  }

  private void checkName() {
    String longest = template.nameOf(template.count() - 1);
    if (longest.contains("${")) {
      return; // the missing variable has been reported
    }
    if (longest.length() > LONGEST_NAME) {
      problems.refuse(
          "/name",
          template.name(),
          "must be at most %d characters, as the label kubernetes.io/hostname; \"%s\" has %d"
              .formatted(LONGEST_NAME, longest, longest.length()));
    } else {
      problems.rule(Names.checkSubdomain(longest), "/name", template.name());
    }
  }

  private void checkTaints() {
    List<TaintView> taints = template.taints() == null ? List.of() : template.taints();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < taints.size(); i++) {
      TaintView taint = taints.get(i);
      String place = "/taints/" + i;
      NodeRules.taint(taint.key(), taint.value(), problems.at(place));
      if (!seen.add(taint.key() + ":" + taint.effect())) {
        problems.refuse(
            place + "/key",
            taint.key(),
            "is in the list already with effect " + taint.effect() + "; a node holds it once");
      }
    }
  }

  private void checkSources() {
    String path = template.placeOf(template.staticPodPath(), 0);
    if (path.indexOf('\0') >= 0) {
      problems.refuse("/staticPodPath", template.staticPodPath(), "must be a path");
    }
    // the port may contain {i}: the last node has the largest port
    String first = template.placeOf(template.staticPodURL(), 0);
    String last = template.placeOf(template.staticPodURL(), Math.max(0, template.count() - 1));
    if (!first.isEmpty() && !(isUrl(first) && isUrl(last))) {
      problems.refuse(
          "/staticPodURL",
          template.staticPodURL(),
          "must be an http or https URL without user and password, such as"
              + " \"https://example.com/pods/{node}\"");
    }
  }

  private static boolean isUrl(String text) {
    try {
      URI url = new URI(text);
      boolean http =
          "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
      return http
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && url.getPort() <= LAST_PORT;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private void checkAddresses() {
    List<NodeAddressView> addresses =
        template.addresses() == null ? List.of() : template.addresses();
    for (int i = 0; i < addresses.size(); i++) {
      NodeAddressView address = addresses.get(i);
      NodeRules.address(address.type(), address.address(), problems.at("/addresses/" + i));
    }
  }
}
