package dev.vertlet.harness.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodePatternTest {
  private static NodePattern read(String text) {
    Environment environment = new Environment(Map.of("POOL", "blue"), Host.detect());
    return NodePattern.read("nodes.yaml", text.getBytes(UTF_8), environment);
  }

  private static NodePattern named(String name) {
    return read("{apiVersion: v1, kind: Node, metadata: {name: '%s'}}".formatted(name));
  }

  @Test
  void textsAreFilledInEverywhere() {
    NodePattern pattern =
        read(
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: ${POOL}-{i}
              labels:
                kubernetes.io/hostname: "{node}"
                topology.kubernetes.io/zone: zone-{i%3}
                rack: r{i/10}
              annotations: {where: "${SITE:-here} {i}"}
            spec: {providerID: "virtual://{node}", taints: [{key: a, value: "{i}", effect: NoSchedule}]}
            status:
              capacity: {cpu: 4, memory: "1{i}Gi"}
              addresses: [{type: InternalIP, address: "10.0.0.{i}"}]
            """);

    assertThat(pattern.node(25))
        .isEqualTo(
            new JsonObject(
                """
                {"apiVersion": "v1", "kind": "Node",
                 "metadata": {"name": "blue-25",
                   "labels": {"kubernetes.io/hostname": "blue-25", "topology.kubernetes.io/zone": "zone-1",
                              "rack": "r2", "vertlet.dev/managed-by": "nodes-command"},
                   "annotations": {"where": "here 25"}},
                 "spec": {"providerID": "virtual://blue-25",
                          "taints": [{"key": "a", "value": "25", "effect": "NoSchedule"}]},
                 "status": {"capacity": {"cpu": "4", "memory": "125Gi"},
                            "allocatable": {"cpu": "4", "memory": "125Gi"},
                            "addresses": [{"type": "InternalIP", "address": "10.0.0.25"}]}}
                """));
  }

  @Test
  void whatKubectlGetWritesIsATemplateToo() {
    NodePattern pattern =
        read(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: "n{i}", uid: u, resourceVersion: "7", creationTimestamp: t, managedFields: []}
            """);

    assertThat(pattern.node(0).getJsonObject("metadata").fieldNames())
        .containsExactlyInAnyOrder("name", "labels");
  }

  @ParameterizedTest
  @CsvSource({
    "n{i}, n0, 0",
    "n{i}, n12, 12",
    "n{i}.example, n3.example, 3",
    "n{i}, n01, ",
    "n{i}, n, ",
    "n{i}, n-1, ",
    "n{i}, m1, ",
    "n{i}, n1x, ",
    "n{i}, n9999999999, ",
    "n{i}n, n, "
  })
  void aNameGivesItsNumber(String pattern, String node, Integer number) {
    assertThat(named(pattern).indexOf(node).stream().boxed())
        .isEqualTo(number == null ? List.of() : List.of(number));
  }

  @Test
  void aPrefixTakesTheNamesPlace() {
    NodePattern pattern = named("a{i}b").named("other-");

    assertThat(pattern.name()).isEqualTo("other-{i}");
    assertThat(pattern.nameOf(3)).isEqualTo("other-3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [1]                                            | nodes.yaml: holds no object
          a: b: c                                        | nodes.yaml: is neither YAML nor JSON at line 1
          {kind: Node, metadata: {name: n{i}}}           | nodes.yaml: is neither YAML nor JSON at line 1
          {kind: Node, metadata: {name: 'n{i}'}}         | nodes.yaml: /apiVersion: is missing; it must be "v1"
          {kind: Pod}                                    | nodes.yaml: /kind: "Pod" must be "Node"
          {metadata: {name: 'n'}}                        | nodes.yaml: /metadata/name: "n" must contain {i}, the number of the node, once
          {metadata: {name: '{i}{i}'}}                   | nodes.yaml: /metadata/name: "{i}{i}" must contain {i}, the number of the node, once
          {metadata: {}}                                 | nodes.yaml: /metadata/name: is missing; it must be such as "virtual-{i}"
          {metadata: 5}                                  | nodes.yaml: /metadata: 5 must be an object
          {metadata: {namespace: a}}                     | nodes.yaml: /metadata/namespace: "a" must not be there: nodes are in no namespace
          {metadata: {labels: {gpu: true}}}              | nodes.yaml: /metadata/labels/gpu: true must be text: put it in quotes
          {metadata: {labels: {h: {node}}}}              | nodes.yaml: /metadata/labels/h: {"node":null} must be text: put it in quotes
          {metadata: {labels: {vertlet.dev/managed-by: me}}} | nodes.yaml: /metadata/labels/vertlet.dev~1managed-by: "me" must be nodes-command, by which this command knows its nodes, or be left out
          {sepc: {}}                                     | nodes.yaml: /sepc: {} is no field of a Node; it has apiVersion, kind, metadata, spec, status
          {spec: {taints: {}}}                           | nodes.yaml: /spec/taints: {} must be a list of objects
          {status: {capacity: {cpu: []}}}                | nodes.yaml: /status/capacity/cpu: [] must be a quantity, such as "4" or "8Gi"
          {metadata: {name: '${NONE}{i}'}}               | nodes.yaml: /metadata/name: "${NONE}{i}" names the environment variable NONE, which is not set; set it, or write ${NONE:-default}
          """)
  void whatIsNoTemplateIsToldWithItsFieldItsValueAndWhatIsAllowed(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ConfigException.class)
        .satisfies(
            e ->
                assertThat(String.valueOf(e.getMessage()).lines())
                    .anyMatch(line -> line.contains(message)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metadata: {name: 'N{i}'}                                                    | /metadata/name: "N0" must be a lowercase RFC 1123 subdomain: it must
          metadata: {name: 'n{i}', labels: {'a b': c}}                                | /metadata/labels/a b: the key: a label key must consist
          metadata: {name: 'n{i}', labels: {a: 'b c'}}                                | /metadata/labels/a: "b c" must be a label value: it must be empty or must
          metadata: {name: 'n{i}', annotations: {'/': c}}                             | /metadata/annotations/~1: the key: prefix part
          metadata: {name: 'n{i}'}, spec: {taints: [{key: a, effect: Never}]}         | /spec/taints/0/effect: "Never" must be one of NoSchedule, PreferNoSchedule, NoExecute
          metadata: {name: 'n{i}'}, spec: {taints: [{effect: NoSchedule}]}            | /spec/taints/0/key: "" must be a label key: it must consist
          metadata: {name: 'n{i}'}, status: {capacity: {cpu: much}}                   | /status/capacity/cpu: "much" must be a quantity from 0 up
          metadata: {name: 'n{i}'}, status: {allocatable: {cpu: '-1'}}                | /status/allocatable/cpu: "-1" must be a quantity from 0 up
          metadata: {name: 'n{i}'}, status: {addresses: [{type: Ip, address: a}]}     | /status/addresses/0/type: "Ip" must be one of ExternalDNS, ExternalIP, Hostname, InternalDNS, InternalIP
          metadata: {name: 'n{i}'}, status: {addresses: [{type: InternalIP, address: '10.0.0.{i}'}]} | /status/addresses/0/address: "10.0.0.299" must be an IPv4 or IPv6 address
          metadata: {name: 'n{i}'}, status: {addresses: [{type: Hostname, address: A}]} | /status/addresses/0/address: "A" must be a lowercase RFC 1123 subdomain: it
          metadata: {name: 'n123456789-123456789-123456789-123456789-123456789-1234567890-{i}'} | must be at most 63 characters, as the label kubernetes.io/hostname; it has 65
          """)
  void whatTheServerWouldRefuseIsToldBefore(String fields, String message) {
    NodePattern pattern = read("{apiVersion: v1, kind: Node, %s}".formatted(fields));

    assertThatThrownBy(() -> pattern.require("nodes.yaml", 300))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nodes.yaml: ")
        .hasMessageContaining(message);
  }
}
