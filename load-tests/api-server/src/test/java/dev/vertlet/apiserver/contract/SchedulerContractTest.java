package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Nodes of these tests have a label of their own, since a server may have other nodes, too, and a
 * taint that keeps the pods of other tests off.
 */
@ExtendWith(EndpointExtension.class)
public class SchedulerContractTest {
  private static String node(Api api, int pods, String taints) {
    String name = Api.unique("node");
    api.post(
            Api.NODES,
            ("{'metadata':{'name':'%s','labels':{'only':'%s'}},'spec':{'taints':[%s{'key':'contract','effect':'NoSchedule'}]},"
                    + "'status':{'allocatable':{'pods':'%d'},'capacity':{'pods':'%d'},"
                    + "'conditions':[{'type':'Ready','status':'True','reason':'KubeletReady'}]}}")
                .formatted(name, name, taints, pods, pods))
        .is(201);
    return name;
  }

  private static String pod(String name, String spec) {
    return "{'metadata':{'name':'%s'},'spec':{%s'containers':[{'name':'c','image':'i:1'}]}}"
        .formatted(name, spec);
  }

  private static String on(String node) {
    return "'nodeSelector':{'only':'%s'},'tolerations':[{'key':'contract','operator':'Exists'}],"
        .formatted(node);
  }

  private static String daemon(String node) {
    return "'nodeSelector':{'only':'%s'},'tolerations':[{'operator':'Exists'}],".formatted(node);
  }

  private static JsonNode scheduled(Api.Answer pod) {
    for (JsonNode condition : pod.body().at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")) {
        return condition;
      }
    }
    return pod.body().path("none");
  }

  @Test
  void bindsAPodToTheNodeItSelects(Api api) {
    String ns = api.namespace();
    String node = node(api, 10, "");

    api.post(Api.pods(ns), pod("p", on(node))).is(201);

    var bound = api.until(Api.pods(ns) + "/p", pod -> pod.text("/spec/nodeName").equals(node));
    assertThat(scheduled(bound).path("status").asText()).isEqualTo("True");
    assertThat(bound.body().at("/status/conditions")).hasSize(1);
    var events =
        api.until(
            "/api/v1/namespaces/" + ns + "/events?fieldSelector=reason%3DScheduled",
            list -> !list.body().path("items").isEmpty());
    assertThat(events.text("/items/0/message"))
        .isEqualTo("Successfully assigned %s/p to %s".formatted(ns, node));
    assertThat(events.text("/items/0/reportingComponent")).isEqualTo("default-scheduler");
    assertThat(events.text("/items/0/action")).isEqualTo("Binding");
    assertThat(events.body().at("/items/0/eventTime").isTextual()).isTrue();
    assertThat(events.body().at("/items/0/firstTimestamp").isNull()).isTrue();
  }

  @Test
  void saysWhyAPodWaitsAndRetries(Api api) {
    String ns = api.namespace();
    String node = node(api, 10, "{'key':'own','effect':'NoSchedule'},");
    api.post(Api.pods(ns), pod("p", on(node))).is(201);

    var waiting =
        api.until(
            Api.pods(ns) + "/p",
            pod -> scheduled(pod).path("reason").asText().equals("Unschedulable"));

    JsonNode condition = scheduled(waiting);
    assertThat(condition.path("status").asText()).isEqualTo("False");
    assertThat(condition.path("observedGeneration").asInt()).isEqualTo(1);
    assertThat(condition.path("message").asText())
        .matches("0/\\d+ nodes are available: .*node\\(s\\) had untolerated taint\\(s\\).*\\..*");
    var events =
        api.until(
            "/api/v1/namespaces/" + ns + "/events?fieldSelector=reason%3DFailedScheduling",
            list -> !list.body().path("items").isEmpty());
    assertThat(events.text("/items/0/type")).isEqualTo("Warning");
    assertThat(events.text("/items/0/action")).isEqualTo("Scheduling");

    api.merge(
            Api.NODES + "/" + node,
            "{'spec':{'taints':[{'key':'contract','effect':'NoSchedule'}]}}")
        .is(200);
    api.until(Api.pods(ns) + "/p", pod -> pod.text("/spec/nodeName").equals(node));
  }

  @Test
  void tolerationsCordonAndCapacityCount(Api api) {
    String ns = api.namespace();
    String node = node(api, 1, "");
    String path = Api.NODES + "/" + node;
    api.merge(path, "{'spec':{'unschedulable':true}}").is(200);
    api.until(path, n -> n.body().at("/spec/taints").toString().contains("unschedulable"));
    api.post(Api.pods(ns), pod("plain", on(node))).is(201);
    api.until(
        Api.pods(ns) + "/plain",
        pod -> scheduled(pod).path("message").asText().contains("node(s) were unschedulable"));

    api.post(Api.pods(ns), pod("daemon", daemon(node))).is(201);
    api.until(Api.pods(ns) + "/daemon", pod -> pod.text("/spec/nodeName").equals(node));
    api.merge(path, "{'spec':{'unschedulable':null}}").is(200);
    api.until(
        Api.pods(ns) + "/plain",
        pod -> scheduled(pod).path("message").asText().contains("Too many pods"));

    api.delete(Api.pods(ns) + "/daemon", "{'gracePeriodSeconds':0}").is(200);
    api.until(Api.pods(ns) + "/plain", pod -> pod.text("/spec/nodeName").equals(node));
  }

  @Test
  void gatesHoldAPodBack(Api api) {
    String ns = api.namespace();
    String node = node(api, 10, "");
    var gated =
        api.post(Api.pods(ns), pod("p", on(node) + "'schedulingGates':[{'name':'a/b'}],")).is(201);
    assertThat(scheduled(gated).path("reason").asText()).isEqualTo("SchedulingGated");
    assertThat(scheduled(gated).path("message").asText())
        .isEqualTo("Scheduling is blocked due to non-empty scheduling gates");
    api.post(
            Api.pods(ns) + "/p/binding",
            "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'%s'}}".formatted(node))
        .is(409);

    api.merge(Api.pods(ns) + "/p", "{'spec':{'schedulingGates':null}}").is(200);

    api.until(Api.pods(ns) + "/p", pod -> pod.text("/spec/nodeName").equals(node));
  }
}
