package dev.vertlet.model;

import static dev.vertlet.model.Fixtures.JSON;
import static dev.vertlet.model.Fixtures.PROTOBUF;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.EnvironmentView.Source;
import dev.vertlet.model.EnvironmentView.ValueFrom;
import dev.vertlet.model.EnvironmentView.Variable;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.V1;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Environment and resources of containers, in both encodings. */
class ContainerReaderTest {

  private static final String POD =
      """
      {"kind":"PodList","metadata":{"resourceVersion":"9"},"items":[{
        "metadata":{"name":"p","namespace":"ns","uid":"u","resourceVersion":"7"},
        "spec":{"serviceAccountName":"robot","enableServiceLinks":false,"containers":[
          {"name":"plain","image":"i"},
          {"name":"c","image":"i","command":["sh","-c"],"args":["echo $(FIELD)"],"tty":true,
           "resources":{"limits":{"cpu":"2"},"requests":{"cpu":"500m","memory":"1Gi"}},
           "envFrom":[{"prefix":"P_","configMapRef":{"name":"all","optional":true}},
                      {"secretRef":{"name":"hidden"}}],
           "env":[
            {"name":"LITERAL","value":"x"},
            {"name":"EMPTY"},
            {"name":"FIELD","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"status.podIP"}}},
            {"name":"CPU","valueFrom":{"resourceFieldRef":
              {"containerName":"plain","resource":"limits.cpu","divisor":"1m"}}},
            {"name":"ENTRY","valueFrom":{"configMapKeyRef":{"name":"m","key":"k","optional":true}}},
            {"name":"SECRET","valueFrom":{"secretKeyRef":{"name":"s","key":"t"}}},
            {"name":"FILE","valueFrom":{"fileKeyRef":
              {"volumeName":"v","path":"a.env","key":"k","optional":true}}}],
           "volumeMounts":[
            {"name":"v","mountPath":"/a","subPath":"x"},
            {"name":"v","mountPath":"/b","subPathExpr":"$(LITERAL)/y"}]}]}}]}
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
    String json =
        POD.replace(
            "\"containers\":[", "\"resources\":{\"limits\":{\"cpu\":\"8\"}},\"containers\":[");
    byte[] bytes = contentType.equals(JSON) ? json.getBytes(UTF_8) : protobuf(Map.of("cpu", "8"));

    List<ContainerView> containers =
        new PodDecoder()
            .decodeList(contentType, Buffer.buffer(bytes))
            .items()
            .get(0)
            .spec()
            .containers();

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
    String json = POD.replace("\"enableServiceLinks\":false,", "");

    PodSpecView spec = new PodDecoder().decodeList(JSON, Buffer.buffer(json)).items().get(0).spec();

    assertThat(spec.enableServiceLinks()).isTrue();
  }

  private static PodView pod(String contentType) {
    byte[] bytes = contentType.equals(JSON) ? POD.getBytes(UTF_8) : protobuf(Map.of());
    return new PodDecoder().decodeList(contentType, Buffer.buffer(bytes)).items().get(0);
  }

  /** The same by another implementation, as the API server frames it. */
  private static byte[] protobuf(Map<String, String> podLimits) {
    V1.ResourceRequirements.Builder ofPod = V1.ResourceRequirements.newBuilder();
    podLimits.forEach((resource, amount) -> ofPod.putLimits(resource, quantity(amount)));
    return ProtobufPods.list(
        V1.PodSpec.newBuilder()
            .setServiceAccountName("robot")
            .setEnableServiceLinks(false)
            .setResources(ofPod)
            .addContainers(
                V1.Container.newBuilder()
                    .setName("plain")
                    .setImage("i")
                    .setResources(V1.ResourceRequirements.getDefaultInstance()))
            .addContainers(container())
            .build());
  }

  private static V1.Container.Builder container() {
    return V1.Container.newBuilder()
        .setName("c")
        .setImage("i")
        .addVolumeMounts(
            V1.VolumeMount.newBuilder().setName("v").setMountPath("/a").setSubPath("x"))
        .addVolumeMounts(
            V1.VolumeMount.newBuilder()
                .setName("v")
                .setMountPath("/b")
                .setSubPathExpr("$(LITERAL)/y"))
        .addCommand("sh")
        .addCommand("-c")
        .addArgs("echo $(FIELD)")
        .setTty(true)
        .setResources(
            V1.ResourceRequirements.newBuilder()
                .putLimits("cpu", quantity("2"))
                .putRequests("cpu", quantity("500m"))
                .putRequests("memory", quantity("1Gi")))
        .addEnvFrom(
            V1.EnvFromSource.newBuilder()
                .setPrefix("P_")
                .setConfigMapRef(
                    V1.ConfigMapEnvSource.newBuilder()
                        .setLocalObjectReference(reference("all"))
                        .setOptional(true)))
        .addEnvFrom(
            V1.EnvFromSource.newBuilder()
                .setSecretRef(
                    V1.SecretEnvSource.newBuilder().setLocalObjectReference(reference("hidden"))))
        .addEnv(V1.EnvVar.newBuilder().setName("LITERAL").setValue("x"))
        .addEnv(V1.EnvVar.newBuilder().setName("EMPTY").setValue(""))
        .addEnv(
            variable(
                "FIELD",
                V1.EnvVarSource.newBuilder()
                    .setFieldRef(
                        V1.ObjectFieldSelector.newBuilder()
                            .setApiVersion("v1")
                            .setFieldPath("status.podIP"))))
        .addEnv(
            variable(
                "CPU",
                V1.EnvVarSource.newBuilder()
                    .setResourceFieldRef(
                        V1.ResourceFieldSelector.newBuilder()
                            .setContainerName("plain")
                            .setResource("limits.cpu")
                            .setDivisor(quantity("1m")))))
        .addEnv(
            variable(
                "ENTRY",
                V1.EnvVarSource.newBuilder()
                    .setConfigMapKeyRef(
                        V1.ConfigMapKeySelector.newBuilder()
                            .setLocalObjectReference(reference("m"))
                            .setKey("k")
                            .setOptional(true))))
        .addEnv(
            variable(
                "SECRET",
                V1.EnvVarSource.newBuilder()
                    .setSecretKeyRef(
                        V1.SecretKeySelector.newBuilder()
                            .setLocalObjectReference(reference("s"))
                            .setKey("t"))))
        .addEnv(
            variable(
                "FILE",
                V1.EnvVarSource.newBuilder()
                    .setFileKeyRef(
                        V1.FileKeySelector.newBuilder()
                            .setVolumeName("v")
                            .setPath("a.env")
                            .setKey("k")
                            .setOptional(true))));
  }

  private static V1.EnvVar.Builder variable(String name, V1.EnvVarSource.Builder from) {
    return V1.EnvVar.newBuilder().setName(name).setValueFrom(from);
  }

  private static V1.LocalObjectReference.Builder reference(String name) {
    return V1.LocalObjectReference.newBuilder().setName(name);
  }

  private static Quantity quantity(String text) {
    return Quantity.newBuilder().setString(text).build();
  }
}
