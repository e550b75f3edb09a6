package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Containers of a pod: those that run, those that run before, and those that come later. */
final class ContainerRules {
  private static final int MOST_RESTART_RULES = 20;
  private static final int MOST_EXIT_CODES = 255;

  /** What a debug container may not have, in the order of the Go type. */
  private static final List<String> NOT_EPHEMERAL =
      List.of(
          "ports",
          "resources",
          "resizePolicy",
          "restartPolicy",
          "restartPolicyRules",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle");

  private static final List<String> NOT_INIT =
      List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe");

  private final FieldValue spec;
  private final Map<String, JsonNode> volumes;
  private final Set<String> claims;
  private final FieldValue gracePeriod;
  private final boolean hostUsers;

  /**
   * @param volumes the good volumes of the pod, by name
   * @param claims names of the pod's resource claims
   */
  ContainerRules(FieldValue spec, Map<String, JsonNode> volumes, Set<String> claims) {
    this.spec = spec;
    this.volumes = volumes;
    this.claims = claims;
    this.gracePeriod = spec.at("terminationGracePeriodSeconds");
    this.hostUsers = !spec.at("hostUsers").isFalse();
  }

  void each() {
    FieldValue containers = spec.at("containers");
    if (containers.isEmpty()) {
      containers.required();
    }
    Set<String> names = new HashSet<>();
    for (FieldValue container : containers.items()) {
      common(container);
      unique(container, names);
      HandlerRules.each(container, gracePeriod);
      restartPolicy(container);
    }
    Set<String> ports = new HashSet<>();
    containers.items().forEach(container -> hostPorts(container, ports));
    spec.at("initContainers").items().forEach(container -> init(container, names));
    ephemeral(names);
  }

  private static void unique(FieldValue container, Set<String> names) {
    String name = container.at("name").text();
    if (!name.isEmpty() && !names.add(name)) {
      container.at("name").duplicate();
    }
  }

  private void common(FieldValue container) {
    container.at("name").requireFormat(Format.DNS_LABEL);
    container.at("image").requireAny();
    container.at("terminationMessagePolicy").oneOf("File", "FallbackToLogsOnError");
    ports(container.at("ports"));
    VariableRules.each(container.at("env"));
    VariableRules.fromAll(container.at("envFrom"));
    VolumeRules.ofContainer(container, volumes);
    container.at("imagePullPolicy").oneOf("Always", "IfNotPresent", "Never");
    ResourceRules.ofContainer(container.at("resources"), claims);
    resizePolicy(container.at("resizePolicy"));
    SecurityRules.ofContainer(container.at("securityContext"), hostUsers);
  }

  private static void ports(FieldValue ports) {
    Set<String> names = new HashSet<>();
    for (FieldValue port : ports.items()) {
      FieldValue name = port.at("name");
      if (!name.isEmpty()) {
        name.check(Format.PORT_NAME);
        if (Format.PORT_NAME.fits(name.text()) && !names.add(name.text())) {
          name.duplicate();
        }
      }
      FieldValue number = port.at("containerPort");
      if (number.number() == 0) {
        number.required();
      } else {
        number.portNumber();
      }
      if (port.at("hostPort").number() != 0) {
        port.at("hostPort").portNumber();
      }
      port.at("protocol").oneOf("SCTP", "TCP", "UDP");
    }
  }

  private static void hostPorts(FieldValue container, Set<String> taken) {
    for (FieldValue port : container.at("ports").items()) {
      FieldValue host = port.at("hostPort");
      String key =
          "%s/%s/%d".formatted(port.at("protocol").text(), port.at("hostIP").text(), host.number());
      if (host.number() != 0 && !taken.add(key)) {
        host.causes().duplicate(host.path(), GoText.quoted(key), "");
      }
    }
  }

  private void resizePolicy(FieldValue policies) {
    Set<String> resources = new HashSet<>();
    boolean never = spec.at("restartPolicy").is("Never");
    for (FieldValue policy : policies.items()) {
      FieldValue resource = policies.reporting(policy.at("resourceName"));
      if (!resources.add(resource.text())) {
        policy.causes().duplicate(policy.path(), GoText.quoted(resource.text()), "");
      }
      if (!resource.requireAny()) {
        resource.oneOf("cpu", "memory");
      }
      FieldValue restart = policies.reporting(policy.at("restartPolicy"));
      if (!restart.requireAny()) {
        restart.oneOf("NotRequired", "RestartContainer");
      }
      if (never && !restart.is("NotRequired")) {
        restart.invalid("must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }

  private static void restartPolicy(FieldValue container) {
    FieldValue policy = container.at("restartPolicy");
    FieldValue rules = container.at("restartPolicyRules");
    if (!policy.isPresent()) {
      if (rules.isEmpty()) {
        return;
      }
      policy.required("must specify restartPolicy when restart rules are used");
    } else {
      policy.oneOf("Always", "Never", "OnFailure");
    }
    int size = rules.items().size();
    if (size > MOST_RESTART_RULES) {
      rules.causes().tooMany(rules.path(), size, MOST_RESTART_RULES);
    }
    rules.items().forEach(ContainerRules::restartRule);
  }

  private static void restartRule(FieldValue rule) {
    rule.at("action").oneOf("Restart", "RestartAllContainers");
    FieldValue codes = rule.at("exitCodes");
    if (!codes.isPresent()) {
      codes.required("must be specified");
      return;
    }
    codes.at("operator").oneOf("In", "NotIn");
    FieldValue values = codes.at("values");
    if (values.items().size() > MOST_EXIT_CODES) {
      values.causes().tooMany(values.path(), values.items().size(), MOST_EXIT_CODES);
    }
  }

  private void init(FieldValue container, Set<String> names) {
    common(container);
    boolean sidecar = container.at("restartPolicy").is("Always");
    if (container.at("restartPolicy").isPresent()) {
      restartPolicy(container);
    } else if (!container.at("restartPolicyRules").isEmpty()) {
      container
          .at("restartPolicy")
          .required("must specify restartPolicy when restart rules are used");
    }
    unique(container, names);
    hostPorts(container, new HashSet<>());
    if (sidecar) {
      HandlerRules.each(container, gracePeriod);
      return;
    }
    String why = "may not be set for init containers without restartPolicy=Always";
    NOT_INIT.forEach(field -> container.at(field).forbidAny(why));
    for (FieldValue policy : container.at("resizePolicy").items()) {
      if (policy.at("restartPolicy").is("RestartContainer")) {
        policy
            .at("restartPolicy")
            .invalid("must not be set to 'RestartContainer' for non-sidecar initContainers");
      }
    }
  }

  private void ephemeral(Set<String> others) {
    Set<String> names = new HashSet<>(others);
    String why = "cannot be set for an Ephemeral Container";
    for (FieldValue container : spec.at("ephemeralContainers").items()) {
      common(container);
      image(container);
      unique(container, names);
      FieldValue target = container.at("targetContainerName");
      if (!target.isEmpty() && !others.contains(target.text())) {
        target.notFound();
      }
      for (String field : NOT_EPHEMERAL) {
        if (!container.at(field).isEmpty()) {
          container.at(field).forbidden(why);
        }
      }
      for (FieldValue mount : container.at("volumeMounts").items()) {
        for (String path : List.of("subPath", "subPathExpr")) {
          if (!mount.at(path).isEmpty()) {
            mount.at(path).forbidden(why);
          }
        }
      }
    }
  }

  /** Templates of pods may have spaces around images, pods may not. */
  static void image(FieldValue container) {
    FieldValue image = container.at("image");
    if (!image.text().strip().equals(image.text())) {
      image.invalid("must not have leading or trailing whitespace");
    }
  }

  /** On the host's network a port is the host's. */
  static void hostNetwork(FieldValue spec) {
    if (!spec.at("hostNetwork").isTrue()) {
      return;
    }
    for (FieldValue container : spec.at("containers").items()) {
      for (FieldValue port : container.at("ports").items()) {
        FieldValue host = port.at("hostPort");
        if (host.number() != port.at("containerPort").number()) {
          host.invalid(
              Long.toString(host.number()),
              "must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }
}
