package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Source;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Environment and resources of containers, in both encodings. */
class ContainerReaderTest {

  private static final String SPEC =
      """
      {"serviceAccountName":"robot","enableServiceLinks":false,"containers":[
          {"name":"plain","image":"i"},
          {"name":"c","image":"i","command":["sh","-c"],"args":["echo $(FIELD)"],"tty":true,
           "resources":{"limits":{"cpu":"2"},"requests":{"cpu":"500m","memory":"1Gi"}},
           "envFrom":[{"prefix":"P_","configMapRef":{"name":"all","optional":true}},
                      {"secretRef":{"name":"hidden"}}],
           "env":[
            {"name":"LITERAL","value":"x"},
            {"name":"EMPTY"},
            {"name":"BLANK","value":""},
            {"name":"FIELD","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"status.podIP"}}},
            {"name":"CPU","valueFrom":{"resourceFieldRef":
              {"containerName":"plain","resource":"limits.cpu","divisor":"1m"}}},
            {"name":"ENTRY","valueFrom":{"configMapKeyRef":{"name":"m","key":"k","optional":true}}},
            {"name":"SECRET","valueFrom":{"secretKeyRef":{"name":"s","key":"t"}}},
            {"name":"FILE","valueFrom":{"fileKeyRef":
              {"volumeName":"v","path":"a.env","key":"k","optional":true}}}],
           "volumeMounts":[
            {"name":"v","mountPath":"/a","subPath":"x"},
            {"name":"v","mountPath":"/b","subPathExpr":"$(LITERAL)/y"}]}]}
      """;

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsEverySourceOfAVariable(String contentType) {
    ContainerView container = pod(contentType).spec().containers().get(1);

    assertThat(container.environment())
        .isEqualTo(
            new EnvironmentView(
                List.of(
                    new Variable("LITERAL", "x", EnvironmentView.LITERAL),
                    new Variable("EMPTY", "", EnvironmentView.LITERAL),
                    new Variable("BLANK", "", EnvironmentView.LITERAL),
                    new Variable("FIELD", "", new ValueFrom.Field("v1", "status.podIP")),
                    new Variable("CPU", "", new ValueFrom.Resource("plain", "limits.cpu", "1m")),
                    new Variable(
                        "ENTRY", "", new ValueFrom.Key(ReferredKind.CONFIG_MAP, "m", "k", true)),
                    new Variable(
                        "SECRET", "", new ValueFrom.Key(ReferredKind.SECRET, "s", "t", false)),
                    new Variable("FILE", "", new ValueFrom.File("v", "a.env", "k", true))),
                List.of(
                    new Source("P_", ReferredKind.CONFIG_MAP, "all", true),
                    new Source("", ReferredKind.SECRET, "hidden", false)),
                List.of("$(LITERAL)/y")));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsResourcesAndWhatThePodSaysOfItself(String contentType) {
    PodSpecView spec = pod(contentType).spec();

    assertThat(spec.containers().get(1).resources())
        .isEqualTo(new ResourcesView(Map.of("cpu", "500m", "memory", "1Gi"), Map.of("cpu", "2")));
    assertThat(spec.serviceAccountName()).isEqualTo("robot");
    assertThat(spec.enableServiceLinks()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void keepsNothingForAContainerThatNamesNothing(String contentType) {
    ContainerView plain = pod(contentType).spec().containers().get(0);

    assertThat(plain.environment()).isNull();
    assertThat(plain.resources()).isSameAs(ResourcesView.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void limitsOfThePodReachItsContainers(String contentType) {
    String limited =
        SPEC.replace(
            "\"containers\":[", "\"resources\":{\"limits\":{\"cpu\":\"8\"}},\"containers\":[");

    List<ContainerView> containers = EncodedPods.withSpec(contentType, limited).spec().containers();

    assertThat(containers)
        .extracting(container -> container.resources().podLimits())
        .containsOnly(Map.of("cpu", "8"));
    assertThat(containers.get(1).resources().limits()).isEqualTo(Map.of("cpu", "2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsWhatAContainerRuns(String contentType) {
    List<ContainerView> containers = pod(contentType).spec().containers();

    assertThat(containers.get(0).command()).isSameAs(CommandView.NONE);
    assertThat(containers.get(1).command())
        .isEqualTo(new CommandView(List.of("sh", "-c"), List.of("echo $(FIELD)")));
    assertThat(containers).extracting(ContainerView::tty).containsExactly(false, true);
  }

  @Test
  void anEnvironmentIsLiteralUntilItRefersToSomething() {
    Variable literal = new Variable("A", "x", EnvironmentView.LITERAL);
    Variable field = new Variable("B", "", new ValueFrom.Field("v1", "metadata.name"));
    Source source = new Source("", ReferredKind.SECRET, "s", true);

    assertThat(new EnvironmentView(List.of(literal), List.of()).literal()).isTrue();
    assertThat(new EnvironmentView(List.of(literal, field), List.of()).literal()).isFalse();
    assertThat(new EnvironmentView(List.of(literal), List.of(source)).literal()).isFalse();
  }

  /** Service links are on unless somebody says otherwise. */
  @Test
  void takesTheDefaultOfServiceLinks() {
    String silent = SPEC.replace("\"enableServiceLinks\":false,", "");

    assertThat(EncodedPods.withSpec(JSON, silent).spec().enableServiceLinks()).isTrue();
  }

  private static PodView pod(String contentType) {
    return EncodedPods.withSpec(contentType, SPEC);
  }
}
