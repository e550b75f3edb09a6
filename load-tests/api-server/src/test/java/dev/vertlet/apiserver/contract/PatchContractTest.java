package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
public class PatchContractTest {
  private static String pod(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("p")).is(201);
    return Api.pods(ns) + "/p";
  }

  private static String node(Api api) {
    String name = Api.unique("node");
    api.post(Api.NODES, "{'metadata':{'name':'%s'}}".formatted(name)).is(201);
    return Api.NODES + "/" + name;
  }

  private static List<String> texts(JsonNode list, String field) {
    List<String> found = new ArrayList<>();
    list.forEach(item -> found.add(item.path(field).asText()));
    return found;
  }

  @Test
  void strategicMergesConditionsByTypeNewOnesFirst(Api api) {
    String status = node(api) + "/status";
    api.strategic(
            status, "{'status':{'conditions':[{'type':'Ready','status':'True','reason':'R'}]}}")
        .is(200);

    var patched =
        api.strategic(
                status,
                "{'status':{'conditions':[{'type':'MemoryPressure','status':'False'},{'type':'Ready','status':'False'}]}}")
            .is(200);

    JsonNode conditions = patched.body().at("/status/conditions");
    assertThat(texts(conditions, "type")).containsExactly("MemoryPressure", "Ready");
    assertThat(conditions.at("/1/status").asText()).isEqualTo("False");
    assertThat(conditions.at("/1/reason").asText()).isEqualTo("R");
  }

  @Test
  void strategicObeysOrderAndDeleteDirectives(Api api) {
    String status = pod(api) + "/status";
    api.strategic(
            status,
            "{'status':{'conditions':[{'type':'A','status':'True'},{'type':'B','status':'True'},{'type':'C','status':'True'}]}}")
        .is(200);

    var patched =
        api.strategic(
                status,
                "{'status':{'$setElementOrder/conditions':[{'type':'C'},{'type':'A'}],"
                    + "'conditions':[{'type':'B','$patch':'delete'},{'type':'C','status':'False'}]}}")
            .is(200);

    assertThat(texts(patched.body().at("/status/conditions"), "type")).containsExactly("C", "A");
    assertThat(patched.text("/status/conditions/0/status")).isEqualTo("False");
  }

  @Test
  void strategicReplacesWhatItIsToldToReplace(Api api) {
    String status = pod(api) + "/status";
    api.strategic(
            status,
            "{'status':{'podIP':'10.0.0.1','podIPs':[{'ip':'10.0.0.1'}],'hostIP':'1.1.1.1'}}")
        .is(200);

    var list =
        api.strategic(
                status,
                "{'status':{'podIP':'10.0.0.3','podIPs':[{'$patch':'replace'},{'ip':'10.0.0.3'}]}}")
            .is(200);
    assertThat(texts(list.body().at("/status/podIPs"), "ip")).containsExactly("10.0.0.3");
    var map = api.strategic(status, "{'status':{'$patch':'replace','phase':'Running'}}").is(200);
    assertThat(map.body().at("/status").has("podIP")).isFalse();
    assertThat(map.text("/status/phase")).isEqualTo("Running");
    assertThat(map.text("/status/qosClass")).isEqualTo("BestEffort");
  }

  @Test
  void aPodCannotHaveTwoAddressesOfOneFamily(Api api) {
    String status = pod(api) + "/status";
    api.strategic(status, "{'status':{'podIP':'10.0.0.1','podIPs':[{'ip':'10.0.0.1'}]}}").is(200);

    var answer =
        api.strategic(status, "{'status':{'podIP':'10.0.0.2','podIPs':[{'ip':'10.0.0.2'}]}}")
            .is(422);

    assertThat(answer.text("/message"))
        .isEqualTo(
            "Pod \"p\" is invalid: status.podIPs: Invalid value: [{\"IP\":\"10.0.0.2\"},{\"IP\":\"10.0.0.1\"}]: may specify no more than one IP for each IP family");
  }

  @Test
  void podIpAndPodIpsMirrorEachOther(Api api) {
    String status = pod(api) + "/status";

    assertThat(
            api.strategic(status, "{'status':{'podIPs':[{'ip':'10.0.0.1'}]}}")
                .text("/status/podIP"))
        .isEqualTo("10.0.0.1");
    assertThat(api.strategic(status, "{'status':{'podIP':'10.0.0.2'}}").text("/status/podIPs/0/ip"))
        .isEqualTo("10.0.0.2");
  }

  @Test
  void taintsAndContainerStatusesAreAtomic(Api api) {
    String node = node(api);

    var taints =
        api.strategic(node, "{'spec':{'taints':[{'key':'z','effect':'NoSchedule'}]}}").is(200);
    assertThat(texts(taints.body().at("/spec/taints"), "key")).containsExactly("z");
    var none = api.strategic(node, "{'spec':{'taints':[]}}").is(200);
    assertThat(none.body().at("/spec").has("taints")).isFalse();
  }

  @Test
  void aMissingMergeKeyIsAnError(Api api) {
    String status = pod(api) + "/status";
    String keyless = "{'status':{'conditions':[{'status':'True'}]}}";

    assertThat(api.strategic(status, keyless).is(422).text("/details/causes/0/field"))
        .isEqualTo("status.conditions[0].Type"); // no list to merge with yet
    api.strategic(status, "{'status':{'conditions':[{'type':'A','status':'True'}]}}").is(200);
    assertThat(api.strategic(status, keyless).is(500).text("/message"))
        .contains("does not contain declared merge key: type");
  }

  @Test
  void statusPatchTouchesNeitherSpecNorOwners(Api api) {
    String pod = pod(api);
    String node = api.get(pod).text("/spec/nodeName");

    var patched =
        api.strategic(
                pod + "/status",
                "{'metadata':{'annotations':{'a':'b'},'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'o','uid':'u'}]},"
                    + "'spec':{'nodeName':'other'},'status':{'phase':'Running'}}")
            .is(200);

    assertThat(patched.text("/spec/nodeName")).isEqualTo(node);
    assertThat(patched.text("/metadata/annotations/a")).isEqualTo("b");
    assertThat(patched.body().at("/metadata").has("ownerReferences")).isFalse();
    var main = api.strategic(pod, "{'status':{'phase':'Failed'}}").is(200);
    assertThat(main.text("/status/phase")).isEqualTo("Running");
  }

  @Test
  void aForeignUidOrAnOldVersionIsRefused(Api api) {
    String pod = pod(api);

    var foreign =
        api.strategic(pod + "/status", "{'metadata':{'uid':'x'},'status':{'phase':'Running'}}")
            .is(422);
    assertThat(foreign.text("/message"))
        .isEqualTo("Pod \"p\" is invalid: metadata.uid: Invalid value: \"x\": field is immutable");
    assertThat(foreign.text("/details/causes/0/field")).isEqualTo("metadata.uid");
    var stale =
        api.strategic(pod + "/status", "{'metadata':{'resourceVersion':'1'},'status':{}}").is(409);
    assertThat(stale.reason()).isEqualTo("Conflict");
    assertThat(stale.text("/message"))
        .isEqualTo(
            "Operation cannot be fulfilled on pods \"p\": the object has been modified; please apply your changes to the latest version and try again");
    var renamed = api.merge(pod, "{'metadata':{'name':'q'}}").is(400);
    assertThat(renamed.text("/message"))
        .isEqualTo("the name of the object (q) does not match the name on the URL (p)");
  }

  @Test
  void mergePatchDeletesWithNullAndReplacesLists(Api api) {
    String pod = pod(api);
    api.merge(pod, "{'metadata':{'labels':{'x':'1','y':'2'},'finalizers':['a/b','c/d']}}").is(200);

    var patched = api.merge(pod, "{'metadata':{'labels':{'x':null},'finalizers':['a/b']}}").is(200);

    assertThat(patched.body().at("/metadata/labels").has("x")).isFalse();
    assertThat(patched.text("/metadata/labels/y")).isEqualTo("2");
    assertThat(patched.body().at("/metadata/finalizers")).hasSize(1);
    api.merge(pod, "{'metadata':{'finalizers':null}}").is(200);
  }

  @Test
  void jsonPatchAppliesInOrderOrNotAtAll(Api api) {
    String pod = pod(api);

    var patched =
        api.jsonPatch(
                pod,
                "[{'op':'test','path':'/metadata/labels/app','value':'p'},"
                    + "{'op':'add','path':'/metadata/labels/a~1b','value':'1'},"
                    + "{'op':'copy','from':'/metadata/labels/app','path':'/metadata/labels/z'},"
                    + "{'op':'replace','path':'/metadata/labels/app','value':'q'},"
                    + "{'op':'move','from':'/metadata/labels/z','path':'/metadata/labels/y'}]")
            .is(200);
    assertThat(patched.body().at("/metadata/labels").toString())
        .isEqualTo("{\"a/b\":\"1\",\"app\":\"q\",\"y\":\"p\"}");
    var failed =
        api.jsonPatch(pod, "[{'op':'test','path':'/metadata/labels/app','value':'p'}]").is(422);
    assertThat(failed.reason()).isEqualTo("Invalid");
    api.jsonPatch(pod, "[{'op':'test','path':'/metadata/labels/none','value':'p'}]").is(422);
    api.jsonPatch(pod, "[{'op':'remove','path':'/metadata/labels/none'}]").is(422);
    api.jsonPatch(pod, "{'op':'remove'}").is(400);
  }

  @Test
  void malformedAndUnknownPatchesAreRefused(Api api) {
    String pod = pod(api);

    api.merge(pod, "{bad").is(400);
    api.call(HttpMethod.PATCH, pod, "{}", "content-type", "application/foo").is(415);
    api.merge(pod.replaceFirst("/p$", "/none"), "{}").is(404);
  }
}
