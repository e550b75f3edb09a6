package dev.vertlet.env;

import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SECRET;
import static dev.vertlet.testing.EnvPods.allOf;
import static dev.vertlet.testing.EnvPods.container;
import static dev.vertlet.testing.EnvPods.data;
import static dev.vertlet.testing.EnvPods.entry;
import static dev.vertlet.testing.EnvPods.field;
import static dev.vertlet.testing.EnvPods.literal;
import static dev.vertlet.testing.EnvPods.mounting;
import static dev.vertlet.testing.EnvPods.optional;
import static dev.vertlet.testing.EnvPods.pod;
import static dev.vertlet.testing.EnvPods.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView.Source;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rows of virtual-kubelet §2.2, by their names, and those of kubelet C30 that are about the
 * environment. Where both differ the kubelet's rule holds.
 */
class EnvironmentResolverTest {
  private static final PodFacts FACTS =
      new PodFacts(List.of("10.1.0.5", "fd01::5"), List.of("192.168.0.1"), Map.of("cpu", "4"));

  private final Map<ReferredKey, List<ReferredView>> cluster = new HashMap<>();

  EnvironmentResolverTest() {
    put(CONFIG_MAP, "settings", Map.of("colour", "red", "size", "big"));
    put(CONFIG_MAP, "more", Map.of("size", "small", "shape", "round"));
    put(CONFIG_MAP, "odd", Map.of("1INVALID", "one", "2.INVALID", "two", "fine", "three"));
    put(SECRET, "hidden", Map.of("token", "hush", "3INVALID", "four"));
  }

  private void put(ReferredKind kind, String name, Map<String, String> data) {
    cluster.put(new ReferredKey(kind, "ns", name), List.of(data(name, data)));
  }

  /** What starts, and with which variables. */
  static Stream<Arguments> resolved() {
    return Stream.of(
        arguments(
            "2.2 InitContainersUsingEnv, literal and keys",
            container(
                List.of(),
                literal("L", "x"),
                entry("C", CONFIG_MAP, "settings", "colour"),
                entry("S", SECRET, "hidden", "token")),
            "L=x C=red S=hush"),
        arguments(
            "2.2 InitContainersUsingEnvWithFieldRef",
            container(
                List.of(),
                field("NODE", "spec.nodeName"),
                field("LABELS", "metadata.labels"),
                field("ACCOUNT", "spec.serviceAccountName")),
            "NODE=node-1 LABELS=a=\"1\"\nb=\"2\" ACCOUNT=robot"),
        arguments(
            "2.2 InitContainersUsingEnvFrom",
            container(
                List.of(
                    new Source("P_", CONFIG_MAP, "settings", false),
                    new Source("Q_", SECRET, "hidden", false))),
            "P_colour=red P_size=big Q_3INVALID=four Q_token=hush"),
        arguments(
            "2.2 EnvFromTwoConfigMapsAndOneSecret, later wins",
            container(
                List.of(
                    allOf(CONFIG_MAP, "settings"),
                    allOf(CONFIG_MAP, "more"),
                    allOf(SECRET, "hidden"))),
            "colour=red size=small shape=round 3INVALID=four token=hush"),
        arguments(
            "2.2 EnvFromConfigMapAndSecretWithInvalidKeys, relaxed names are kept",
            container(List.of(allOf(CONFIG_MAP, "odd"))),
            "1INVALID=one 2.INVALID=two fine=three"),
        arguments(
            "2.2 EnvOverridesEnvFrom",
            container(List.of(allOf(CONFIG_MAP, "settings")), literal("size", "tiny")),
            "colour=red size=tiny"),
        arguments(
            "2.2 ComposingEnv",
            container(
                List.of(),
                literal("FOO", "a"),
                literal("BAR", "b"),
                literal("FOOBAR", "$(FOO)$(BAR)")),
            "FOO=a BAR=b FOOBAR=ab"),
        arguments(
            "a path in a volume, made of variables",
            mounting("logs/$(NAME)/$$x", field("NAME", "metadata.name")),
            "NAME=p"),
        arguments("2.2 EmptyEnvVar", container(List.of(), literal("E", "")), "E="),
        arguments(
            "1.11 a value of a reference is not expanded",
            container(
                List.of(), literal("A", "$(colour)"), entry("B", CONFIG_MAP, "settings", "size")),
            "A=$(colour) B=big"),
        arguments(
            "1.11 envFrom can be used in env",
            container(List.of(allOf(CONFIG_MAP, "more")), literal("A", "$(size)/$(LATER)")),
            "shape=round size=small A=small/$(LATER)"),
        arguments(
            "1.11 of two with one name the later counts, in the first's place",
            container(List.of(), literal("A", "1"), literal("B", "2"), literal("A", "$(A)3")),
            "A=13 B=2"),
        arguments(
            "C30 addresses",
            container(
                List.of(),
                field("IP", "status.podIP"),
                field("IPS", "status.podIPs"),
                field("HOST", "status.hostIP"),
                field("HOSTS", "status.hostIPs")),
            "IP=10.1.0.5 IPS=10.1.0.5,fd01::5 HOST=192.168.0.1 HOSTS=192.168.0.1"),
        arguments(
            "C30 resources, the node's without a limit",
            container(
                List.of(), new Variable("CPU", "", new ValueFrom.Resource("", "limits.cpu", "1m"))),
            "CPU=4000"),
        arguments(
            "C30 a written value hides where else it could come from",
            container(
                List.of(),
                new Variable("A", "x", new ValueFrom.Key(SECRET, "nowhere", "k", false))),
            "A=x"),
        arguments(
            "1.11 optional, all of a missing object",
            container(
                List.of(optional(CONFIG_MAP, "nowhere"), optional(SECRET, "nowhere")),
                literal("A", "1")),
            "A=1"),
        arguments(
            "1.11 optional, a key of a missing object",
            container(
                List.of(),
                optional("B", CONFIG_MAP, "nowhere", "k"),
                optional("C", SECRET, "nowhere", "k")),
            ""),
        arguments(
            "1.11 optional, a missing key",
            container(
                List.of(),
                optional("B", CONFIG_MAP, "settings", "k"),
                optional("C", SECRET, "hidden", "k"),
                optional("D", SECRET, "hidden", "token")),
            "D=hush"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("resolved")
  @Tag("C30")
  @Tag("ComposingEnv")
  @Tag("EmptyEnvVar")
  @Tag("EnvFromConfigMapAndSecretWithInvalidKeys")
  @Tag("EnvFromTwoConfigMapsAndOneSecret")
  @Tag("EnvOverridesEnvFrom")
  @Tag("InitContainersUsingEnv")
  @Tag("InitContainersUsingEnvFrom")
  @Tag("InitContainersUsingEnvWithFieldRef")
  void resolves(String row, ContainerView container, String expected) {
    assertThat(text(resolve(container))).as(row).isEqualTo(expected);
  }

  /** What waits, with a kubelet's message and virtual-kubelet's events. */
  static Stream<Arguments> failed() {
    return Stream.of(
        arguments(
            "2.2 EnvFromInexistentConfigMaps",
            container(List.of(optional(CONFIG_MAP, "gone-a"), allOf(CONFIG_MAP, "gone-b"))),
            "configmap \"gone-b\" not found",
            List.of(
                "OptionalConfigMapNotFound configmap \"gone-a\" not found",
                "MandatoryConfigMapNotFound configmap \"gone-b\" not found")),
        arguments(
            "2.2 EnvFromInexistentSecrets",
            container(List.of(optional(SECRET, "gone-a"), allOf(SECRET, "gone-b"))),
            "secret \"gone-b\" not found",
            List.of(
                "OptionalSecretNotFound secret \"gone-a\" not found",
                "MandatorySecretNotFound secret \"gone-b\" not found")),
        arguments(
            "2.2 EnvReferencingInexistentConfigMapKey",
            container(List.of(), entry("A", CONFIG_MAP, "settings", "weight")),
            "couldn't find key weight in ConfigMap ns/settings",
            List.of(
                "MandatoryConfigMapKeyNotFound key \"weight\" does not exist in configmap"
                    + " \"settings\"")),
        arguments(
            "2.2 EnvReferencingInexistentSecretKey",
            container(List.of(), entry("A", SECRET, "hidden", "weight")),
            "couldn't find key weight in Secret ns/hidden",
            List.of(
                "MandatorySecretKeyNotFound key \"weight\" does not exist in secret \"hidden\"")),
        arguments(
            "1.11 a key of a missing ConfigMap, after optional ones",
            container(
                List.of(),
                optional("A", CONFIG_MAP, "gone", "k"),
                optional("B", SECRET, "hidden", "k"),
                entry("C", CONFIG_MAP, "gone", "k")),
            "configmap \"gone\" not found",
            List.of(
                "OptionalConfigMapNotFound skipping optional envvar \"A\": configmap \"gone\" not"
                    + " found",
                "OptionalSecretKeyNotFound skipping optional envvar \"B\": key \"k\" does not"
                    + " exist in secret \"hidden\"",
                "MandatoryConfigMapNotFound configmap \"gone\" not found")),
        arguments(
            "1.11 a key of a missing Secret",
            container(List.of(), entry("C", SECRET, "gone", "k")),
            "secret \"gone\" not found",
            List.of("MandatorySecretNotFound secret \"gone\" not found")),
        arguments(
            "1.11 a field that no pod has",
            container(List.of(), field("A", "spec.colour")),
            "field label not supported: spec.colour",
            List.of()),
        arguments(
            "C30 a resource that is none",
            container(
                List.of(), new Variable("A", "", new ValueFrom.Resource("", "limits.colour", ""))),
            "unsupported container resource : limits.colour",
            List.of()),
        arguments(
            "C30 a quantity that is none",
            container(
                List.of(), new Variable("A", "", new ValueFrom.Resource("", "limits.cpu", "x"))),
            "failed to parse quantity \"x\" for \"\" resource",
            List.of()),
        arguments(
            "C30 a path in a volume, of variables that are not there or empty",
            mounting("$(GONE)/$(EMPTY)", literal("EMPTY", "")),
            "missing value for EMPTY, GONE",
            List.of()),
        arguments(
            "C30 a path that leads out of its volume",
            mounting("a/$(UP)", literal("UP", "../..")),
            "unable to provision SubPath `a/../..`: must not contain '..'",
            List.of()),
        arguments(
            "C30 a path that does not begin in its volume",
            mounting("$(ROOT)", literal("ROOT", "/tmp")),
            "error SubPath `/tmp` must not be an absolute path",
            List.of()),
        arguments(
            "C30 a file of a volume",
            container(
                List.of(), new Variable("A", "", new ValueFrom.File("v", "a.env", "k", true))),
            "cannot find the volume \"v\" referenced by FileKeyRef",
            List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failed")
  @Tag("C30")
  @Tag("EnvFromInexistentConfigMaps")
  @Tag("EnvFromInexistentSecrets")
  @Tag("EnvReferencingInexistentConfigMapKey")
  @Tag("EnvReferencingInexistentSecretKey")
  void fails(String row, ContainerView container, String message, List<String> events) {
    Resolution.Failed failed = (Resolution.Failed) resolve(container);

    assertThat(failed.message()).as(row).isEqualTo(message);
    assertThat(failed.all())
        .extracting(missing -> missing.eventReason() + " " + missing.eventMessage())
        .containsExactlyElementsOf(events);
  }

  /** 1.11: an event for each thing that is optional and missing. */
  @Test
  void whatIsSkippedIsTold() {
    Resolution.Resolved resolved =
        (Resolution.Resolved)
            resolve(
                container(
                    List.of(optional(SECRET, "gone")), optional("A", CONFIG_MAP, "settings", "k")));

    assertThat(resolved.skipped())
        .extracting(MissingReference::eventReason)
        .containsExactly("OptionalSecretNotFound", "OptionalConfigMapKeyNotFound");
  }

  @Test
  void valuesAreNotShown() {
    Resolution resolved = resolve(container(List.of(allOf(SECRET, "hidden"))));

    assertThat(resolved.toString()).contains("token").doesNotContain("hush");
  }

  /** kubelet C30: what is being read is waited for, in the order it is needed. */
  @ParameterizedTest
  @EnumSource(value = ReferredKind.class, names = "SERVICE", mode = EnumSource.Mode.EXCLUDE)
  @Tag("C30")
  void waitsForWhatIsBeingRead(ReferredKind kind) {
    ContainerView container =
        container(List.of(optional(kind, "slow")), entry("A", SECRET, "gone", "k"));
    ReferenceState.Lookup slow =
        key ->
            key.name().equals("slow")
                ? new ReferenceState.Unread(42)
                : new ReferenceState.Known(List.of());

    assertThat(EnvironmentResolver.resolve(pod(container), container, FACTS, false, slow))
        .isEqualTo(new Resolution.Waiting(42));
  }

  @Test
  void whatCannotBeReadFailsEvenIfOptional() {
    ContainerView container = container(List.of(optional(SECRET, "away")));
    ReferenceState.Lookup away = key -> new ReferenceState.Unavailable("no");

    assertThat(EnvironmentResolver.resolve(pod(container), container, FACTS, false, away))
        .isEqualTo(new Resolution.Failed("no", null, List.of()));
  }

  /** 2.2 ServiceEnvVar, links on: the services of the namespace and the API server's. */
  @Test
  @Tag("ServiceEnvVar")
  void servicesOfTheNamespaceAreNamed() {
    services();
    ContainerView container = container(List.of(), literal("URL", "$(TEST_PORT)/x"));

    Resolution.Resolved resolved = resolveWithServices(pod(container), container);

    assertThat(resolved.variables())
        .containsEntry("URL", "tcp://10.0.0.9:8080/x")
        .containsEntry("TEST_SERVICE_HOST", "10.0.0.9")
        .containsEntry("KUBERNETES_SERVICE_HOST", "10.0.0.1")
        .doesNotContainKey("OTHER_SERVICE_HOST")
        .hasSize(1 + 7 + 7);
    assertThat(resolved.variables().keySet()).first().isEqualTo("URL");
  }

  /** 2.2 ServiceEnvVar, links off: the API server's alone. */
  @Test
  @Tag("ServiceEnvVar")
  void withoutLinksTheApiServerIsNamed() {
    services();
    ContainerView container = container(List.of());

    Resolution.Resolved resolved =
        resolveWithServices(pod(false, List.of(), List.of(container)), container);

    assertThat(resolved.variables())
        .containsOnlyKeys(
            "KUBERNETES_SERVICE_HOST",
            "KUBERNETES_SERVICE_PORT",
            "KUBERNETES_PORT",
            "KUBERNETES_PORT_443_TCP",
            "KUBERNETES_PORT_443_TCP_PROTO",
            "KUBERNETES_PORT_443_TCP_PORT",
            "KUBERNETES_PORT_443_TCP_ADDR");
  }

  /** 1.11: precedence, service variables lowest. */
  @Test
  void aServiceNeverReplacesWhatThePodSays() {
    services();
    ContainerView container = container(List.of(), literal("TEST_SERVICE_HOST", "mine"));

    assertThat(resolveWithServices(pod(container), container).variables())
        .containsEntry("TEST_SERVICE_HOST", "mine");
  }

  private void services() {
    cluster.put(
        new ReferredKey(ReferredKind.SERVICE, "default", "kubernetes"),
        List.of(service("default", "kubernetes", "10.0.0.1", 443)));
    cluster.put(
        new ReferredKey(ReferredKind.SERVICE, "ns", ""),
        List.of(service("ns", "test", "10.0.0.9", 8080)));
    cluster.put(
        new ReferredKey(ReferredKind.SERVICE, "elsewhere", ""),
        List.of(service("elsewhere", "other", "10.0.0.10", 80)));
  }

  private Resolution.Resolved resolveWithServices(PodView pod, ContainerView container) {
    return (Resolution.Resolved)
        EnvironmentResolver.resolve(pod, container, FACTS, true, this::read);
  }

  private Resolution resolve(ContainerView container) {
    return EnvironmentResolver.resolve(pod(container), container, FACTS, false, this::read);
  }

  private ReferenceState read(ReferredKey key) {
    return new ReferenceState.Known(cluster.getOrDefault(key, List.of()));
  }

  private static String text(Resolution resolution) {
    List<String> lines = new ArrayList<>();
    ((Resolution.Resolved) resolution)
        .variables()
        .forEach((name, value) -> lines.add(name + "=" + value));
    return String.join(" ", lines);
  }
}
