package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(EndpointExtension.class)
public class ResizeContractTest {
  private static final String SIZED =
      "'resources':{'requests':{'cpu':'%s','memory':'100Mi'},'limits':{'cpu':'%s'}}";

  private static String node(Api api) {
    String name = Api.unique("node");
    api.post("/api/v1/nodes", "{'metadata':{'name':'%s'}}".formatted(name)).is(201);
    api.strategic(
            "/api/v1/nodes/" + name + "/status",
            "{'status':{'allocatable':{'cpu':'4','memory':'1Gi'},'capacity':{'cpu':'4','memory':'1Gi'}}}")
        .is(200);
    return name;
  }

  private static String pod(Api api, String node, String more) {
    String pods = Api.pods(api.namespace());
    api.post(
            pods,
            "{'metadata':{'name':'p','labels':{'a':'b'}},'spec':{'nodeName':'%s',%s'containers':[{'name':'c','image':'i:1',%s}]}}"
                .formatted(node, more, SIZED.formatted("1", "2")))
        .is(201);
    return pods + "/p";
  }

  private static void runs(Api api, String pod, String resources) {
    api.strategic(
            pod + "/status",
            "{'status':{'phase':'Running','containerStatuses':[{'name':'c','image':'i:1','imageID':'i','ready':true,'restartCount':0,'containerID':'x://1','state':{'running':{}}%s}]}}"
                .formatted(resources))
        .is(200);
  }

  /** A server may learn of a new node a moment later. */
  private static Api.Answer patch(Api api, String pod, String body) {
    return Awaitility.await()
        .until(
            () -> api.strategic(pod + "/resize", body),
            answer -> !answer.text("/message").matches("(?s).*(not found|requested: .*: 0).*"));
  }

  private static Api.Answer resize(Api api, String pod, String container) {
    return patch(api, pod, "{'spec':{'containers':[{'name':'c',%s}]}}".formatted(container));
  }

  @Test
  void cpuAndMemoryChangeAndNothingElse(Api api) {
    String pod = pod(api, node(api), "");
    runs(api, pod, ",'resources':{}");

    var resized =
        patch(
                api,
                pod,
                "{'metadata':{'labels':{'a':'other'}},'spec':{'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'i:2','resources':{'requests':{'cpu':'2'},'limits':{'memory':'300Mi'}}}]}}")
            .is(200);

    assertThat(resized.text("/spec/containers/0/resources/requests/cpu")).isEqualTo("2");
    assertThat(resized.text("/spec/containers/0/resources/requests/memory")).isEqualTo("100Mi");
    assertThat(resized.text("/spec/containers/0/resources/limits/memory")).isEqualTo("300Mi");
    assertThat(resized.text("/spec/containers/0/image")).isEqualTo("i:1");
    assertThat(resized.text("/spec/terminationGracePeriodSeconds")).isEqualTo("30");
    assertThat(resized.text("/metadata/labels/a")).isEqualTo("b");
    assertThat(resized.text("/metadata/generation")).isEqualTo("2");
    assertThat(api.get(pod + "/resize").is(200).text("/metadata/name")).isEqualTo("p");
    var again = resize(api, pod, "'resources':{'requests':{'cpu':'2'}}").is(200);
    assertThat(again.text("/metadata/generation")).isEqualTo("2");
  }

  @Test
  void thePodsOwnEndpointResizesNothing(Api api) {
    String pod = pod(api, node(api), "");

    var refused =
        api.strategic(
                pod, "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'2'}}}]}}")
            .is(422);

    assertThat(refused.text("/message")).contains("pod updates may not change fields other than");
  }

  @Test
  void aNodeThatTellsNothingOfWhatContainersHaveCannotResize(Api api) {
    String pod = pod(api, node(api), "");
    runs(api, pod, "");

    var refused = resize(api, pod, "'resources':{'requests':{'cpu':'2'}}").is(422);

    assertThat(refused.text("/message"))
        .isEqualTo(
            "Pod \"p\" is invalid: spec: Forbidden: Pod running on node without support for resize");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'requests':{'cpu':'2','memory':'200Mi'},'limits':{'cpu':'2','memory':'200Mi'}} | spec: Invalid value: \"Burstable\": Pod QOS Class may not change as a result of resizing",
        "{'requests':{'memory':null}} | spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed",
        "{'limits':{'cpu':null}} | spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed",
        "{'requests':{'cpu':'3'}} | spec.containers[0].resources.requests: Invalid value: \"3\": must be less than or equal to cpu limit of 2",
        "{'requests':{'ephemeral-storage':'1Gi'}} | spec: Forbidden: only cpu and memory resources are mutable"
      })
  void resourcesThatCannotBeResizedAreRefused(String resources, String message, Api api) {
    String pod = pod(api, node(api), "");

    var refused = resize(api, pod, "'resources':" + resources).is(422);

    assertThat(refused.text("/message")).startsWith("Pod \"p\" is invalid: ").contains(message);
  }

  @Test
  void containersDoNotComeWithAResize(Api api) {
    String pod = pod(api, node(api), "");

    var refused = patch(api, pod, "{'spec':{'containers':[{'name':'d','image':'i:1'}]}}").is(422);

    assertThat(refused.text("/message"))
        .contains("spec.containers: Forbidden: containers may not be added or removed on resize");
  }

  @Test
  void moreThanTheNodeHasIsRefusedAtOnce(Api api) {
    String node = node(api);
    String pod = pod(api, node, "");

    var refused =
        resize(api, pod, "'resources':{'requests':{'cpu':'5'},'limits':{'cpu':'5'}}").is(403);

    assertThat(refused.text("/message"))
        .isEqualTo(
            "pods \"p\" is forbidden: node didn't have enough allocatable resources: cpu, requested: 5000, allocatable: 4000");
    assertThat(refused.text("/details/causes/0/reason")).isEqualTo("NodeCapacity");
  }

  @Test
  void initContainersAreResizedWhereTheirNodeSaysSo(Api api) {
    String node = node(api);
    String pod =
        pod(
            api,
            node,
            "'initContainers':[{'name':'i','image':'i:1','resources':{'requests':{'cpu':'1'}}},{'name':'s','image':'i:1','restartPolicy':'Always','resources':{'requests':{'cpu':'1'}}}],");

    var init =
        patch(
            api,
            pod,
            "{'spec':{'initContainers':[{'name':'i','resources':{'requests':{'cpu':'2'}}}]}}");
    var sidecar =
        patch(
            api,
            pod,
            "{'spec':{'initContainers':[{'name':'s','resources':{'requests':{'cpu':'2'}}}]}}");

    init.is(403);
    assertThat(init.text("/message"))
        .isEqualTo(
            "pods \"p\" is forbidden: pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node \"%s\""
                .formatted(node));
    sidecar.is(200);
  }
}
