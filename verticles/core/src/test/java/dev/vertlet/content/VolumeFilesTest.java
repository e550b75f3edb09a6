package dev.vertlet.content;

import static dev.vertlet.model.reference.ReferredKind.CLUSTER_TRUST_BUNDLE;
import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.content.VolumeFiles.Outcome;
import dev.vertlet.content.VolumeFiles.TokenState;
import dev.vertlet.env.ReferenceState;
import dev.vertlet.model.LabelSelector;
import dev.vertlet.model.LabelSelector.Operator;
import dev.vertlet.model.LabelSelector.Requirement;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.definition.VolumeDefinition.Downward;
import dev.vertlet.model.definition.VolumeDefinition.DownwardItem;
import dev.vertlet.model.definition.VolumeDefinition.Files;
import dev.vertlet.model.definition.VolumeDefinition.Item;
import dev.vertlet.model.definition.VolumeDefinition.Keys;
import dev.vertlet.model.definition.VolumeDefinition.Projection;
import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.model.definition.VolumeDefinition.TrustBundle;
import dev.vertlet.model.definition.VolumeDefinition.Unsupported;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.TrustBundleView;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.testing.EnvPods;
import dev.vertlet.testing.Pods;
import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of volumes, beside the rules of a kubelet. */
class VolumeFilesTest {
  private static final int MODE = 0644;
  private static final Token TOKEN = new Token("", 3600, "token");

  private final Map<ReferredKey, ReferenceState> objects = new HashMap<>();
  private final Map<Token, TokenState> tokens = new HashMap<>();
  private @Nullable Long owner;
  private boolean grouped;

  private void known(ReferredKind kind, DataView object) {
    ReferredKey key = new ReferredKey(kind, EnvPods.NAMESPACE, object.name());
    objects.put(key, new ReferenceState.Known(List.of(object)));
  }

  private static PodView pod() {
    return Pods.of(EnvPods.pod(true, List.of(), List.of()))
        .container("c", "img")
        .resources("c", new ResourcesView(Map.of("cpu", "1500m"), Map.of("cpu", "1500m")))
        .build();
  }

  private Outcome volume(String kind, Projection... projections) {
    Files source = new Files(MODE, List.of(projections));
    return VolumeFiles.of(
        new VolumeDefinition("v", kind, source),
        source,
        new VolumeFiles.Inputs(
            pod(),
            Map.of("cpu", "4", "memory", "8Gi"),
            owner,
            grouped,
            key -> objects.getOrDefault(key, new ReferenceState.Known(List.of())),
            token -> tokens.getOrDefault(token, new TokenState.Requested())));
  }

  /** Path, text and octal mode of each file. */
  private static List<String> files(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Ready.class);
    return ((Outcome.Ready) outcome)
        .content().files().stream()
            .map(f -> f.path() + "=" + f.bytes() + " " + Integer.toOctalString(f.mode()))
            .toList();
  }

  private static String failure(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed) outcome).message();
  }

  private static Keys all(ReferredKind kind, String name) {
    return new Keys(kind, name, false, List.of());
  }

  private static Keys items(ReferredKind kind, boolean optional, Item... items) {
    return new Keys(kind, "o", optional, List.of(items));
  }

  @Test
  void aConfigMapHasAFileForEachKeyWithBinaryOnes() {
    Buffer bytes = Buffer.buffer(new byte[] {(byte) 0xff, 0});
    known(
        CONFIG_MAP,
        new DataView(
            "ns",
            "o",
            "u",
            1,
            false,
            Map.of("b", "2", "a", "1"),
            Set.of("bin"),
            "",
            Map.of("bin", bytes)));

    Outcome outcome = volume("configMap", all(CONFIG_MAP, "o"));

    assertThat(((Outcome.Ready) outcome).content().files())
        .containsExactly(
            new ContentFile("a", Buffer.buffer("1"), MODE, null),
            new ContentFile("b", Buffer.buffer("2"), MODE, null),
            new ContentFile("bin", bytes, MODE, null));
  }

  @Test
  void itemsSelectKeysPathsAndModes() {
    known(SECRET, EnvPods.data("o", Map.of("k", "v", "x", "y")));

    Outcome outcome =
        volume(
            "secret",
            items(SECRET, false, new Item("k", "dir/./file", 0400), new Item("k", "again", null)));

    assertThat(files(outcome)).containsExactly("again=v 644", "dir/file=v 400");
  }

  @Test
  void aMissingObjectHasTheWordsOfAKubelet() {
    assertThat(failure(volume("configMap", all(CONFIG_MAP, "x"))))
        .isEqualTo("configmap \"x\" not found");
    assertThat(failure(volume("secret", all(SECRET, "x")))).isEqualTo("secret \"x\" not found");
  }

  @Test
  void aMissingKeyHasTheWordsOfAKubelet() {
    known(CONFIG_MAP, EnvPods.data("o", Map.of()));
    known(SECRET, EnvPods.data("o", Map.of()));
    Item item = new Item("k", "k", null);

    assertThat(failure(volume("configMap", items(CONFIG_MAP, false, item))))
        .isEqualTo("configmap references non-existent config key: k");
    assertThat(failure(volume("secret", items(SECRET, false, item))))
        .isEqualTo("references non-existent secret key: k");
  }

  @Test
  void whatIsOptionalIsLeftOut() {
    assertThat(files(volume("secret", new Keys(SECRET, "x", true, List.of())))).isEmpty();
    known(SECRET, EnvPods.data("o", Map.of("there", "1")));
    assertThat(
            files(
                volume(
                    "secret",
                    items(SECRET, true, new Item("k", "k", null), new Item("there", "p", null)))))
        .containsExactly("p=1 644");
  }

  @Test
  void anObjectThatIsBeingReadIsAwaited() {
    objects.put(new ReferredKey(SECRET, "ns", "o"), new ReferenceState.Unread(77));

    assertThat(volume("secret", all(SECRET, "o"))).isEqualTo(new Outcome.Waiting(77));
  }

  @Test
  void anObjectThatCannotBeReadIsNotOptional() {
    objects.put(new ReferredKey(SECRET, "ns", "o"), new ReferenceState.Unavailable("no"));

    assertThat(failure(volume("secret", new Keys(SECRET, "o", true, List.of())))).isEqualTo("no");
  }

  @ParameterizedTest
  @CsvSource({
    "metadata.name, p",
    "metadata.namespace, ns",
    "metadata.uid, uid-p",
    "metadata.labels, 'a=\"1\"\nb=\"2\"'",
    "metadata.labels['b'], 2",
    "metadata.labels['none'], ''",
    "metadata.annotations['note'], 'x\ny'"
  })
  void fieldsOfThePodAreFiles(String path, String text) {
    Outcome outcome = volume("downwardAPI", field(path, null));

    PodView pod = pod();
    String wanted = path.equals("metadata.name") ? pod.name() : text;
    wanted = path.equals("metadata.uid") ? pod.uid() : wanted;
    wanted = path.equals("metadata.namespace") ? pod.namespace() : wanted;
    assertThat(files(outcome)).containsExactly("f=" + wanted + " 644");
  }

  private static Downward field(String path, @Nullable Integer mode) {
    return new Downward(List.of(new DownwardItem("f", new ValueFrom.Field("v1", path), mode)));
  }

  @ParameterizedTest
  @CsvSource({
    "status.podIP, unsupported fieldPath: status.podIP",
    "spec.nodeName, unsupported fieldPath: spec.nodeName",
    "metadata.name['x'], 'fieldPath \"metadata.name\" does not support subscript'"
  })
  void fieldsThatVolumesMayNotHaveAreRefused(String path, String message) {
    assertThat(failure(volume("downwardAPI", field(path, null)))).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource({
    "c, limits.cpu, 1m, 1500",
    "c, limits.cpu, '', 2",
    "c, limits.memory, 1Gi, 8",
    "c, requests.cpu, 0, 2",
    "c, limits.memory, '', 8589934592"
  })
  void resourcesAreInUnitsOfTheirDivisorWithDefaultsOfTheNode(
      String container, String resource, String divisor, String text) {
    ValueFrom from = new ValueFrom.Resource(container, resource, divisor);

    assertThat(
            files(volume("downwardAPI", new Downward(List.of(new DownwardItem("f", from, 0600))))))
        .containsExactly("f=" + text + " 600");
  }

  @Test
  void aResourceNeedsItsContainer() {
    ValueFrom none = new ValueFrom.Resource("x", "limits.cpu", "");
    ValueFrom unnamed = new ValueFrom.Resource("", "limits.cpu", "");
    Downward both =
        new Downward(
            List.of(new DownwardItem("a", none, null), new DownwardItem("b", unnamed, null)));

    assertThat(failure(volume("downwardAPI", both)))
        .isEqualTo("[container x not found, container  not found]");
  }

  @Test
  void sourcesOfAProjectedVolumeAreMergedInOrder() {
    known(CONFIG_MAP, EnvPods.data("m", Map.of("same", "map", "a", "1")));
    known(SECRET, EnvPods.data("s", Map.of("same", "secret")));
    tokens.put(TOKEN, new TokenState.Issued("abc"));

    Outcome outcome =
        volume(
            "projected",
            all(CONFIG_MAP, "m"),
            all(SECRET, "s"),
            field("metadata.labels['a']", 0440),
            TOKEN);

    assertThat(files(outcome))
        .containsExactly("a=1 644", "f=1 440", "same=secret 644", "token=abc 644");
  }

  @Test
  void conflictingPathsOfAProjectedVolumeAreRefused() {
    known(SECRET, EnvPods.data("o", Map.of("k", "v")));
    tokens.put(TOKEN, new TokenState.Issued("abc"));

    assertThat(
            failure(volume("projected", items(SECRET, false, new Item("k", "token", null)), TOKEN)))
        .isEqualTo("conflicting duplicate paths: token");
    assertThat(
            failure(
                volume("projected", items(SECRET, false, new Item("k", "token/x", null)), TOKEN)))
        .isEqualTo("conflicting duplicate paths: token");
  }

  @Test
  void allFailuresOfAProjectedVolumeAreTold() {
    tokens.put(TOKEN, new TokenState.Refused("failed to fetch token: no"));

    assertThat(
            failure(
                volume(
                    "projected",
                    all(CONFIG_MAP, "x"),
                    TOKEN,
                    new TrustBundle("b", "", null, false, "p"))))
        .isEqualTo(
            "[configmap \"x\" not found, failed to fetch token: no, while getting"
                + " ClusterTrustBundle: clustertrustbundle.certificates.k8s.io \"b\" not found]");
    assertThat(failure(volume("projected", new Unsupported("podCertificate"))))
        .isEqualTo("PodCertificate projection is not supported on this node");
  }

  private static String pem(int... bytes) {
    byte[] certificate = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      certificate[i] = (byte) bytes[i];
    }
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
        .formatted(Base64.getEncoder().encodeToString(certificate));
  }

  private static TrustBundleView bundle(String name, String signer, String label, String pem) {
    return new TrustBundleView(name, "u-" + name, 1, signer, Map.of("l", label), pem);
  }

  private void bundles(TrustBundleView... bundles) {
    for (TrustBundleView bundle : bundles) {
      objects.put(
          new ReferredKey(CLUSTER_TRUST_BUNDLE, "", bundle.name()),
          new ReferenceState.Known(List.of(bundle)));
    }
    objects.put(
        new ReferredKey(CLUSTER_TRUST_BUNDLE, "", ""), new ReferenceState.Known(List.of(bundles)));
  }

  private static TrustBundle named(String name, boolean optional) {
    return new TrustBundle(name, "", null, optional, "ca.pem");
  }

  private static TrustBundle signedBy(String signer, @Nullable LabelSelector selector) {
    return new TrustBundle("", signer, selector, false, "ca.pem");
  }

  private static LabelSelector label(String value) {
    return new LabelSelector(List.of(new Requirement("l", Operator.IN, Set.of(value))));
  }

  @Test
  void aNamedTrustBundleHasItsCertificatesOnceAndInOrder() {
    bundles(
        bundle("b", "", "x", "root of 2020\n" + pem(0xff) + pem(1, 2) + "\n# again\n" + pem(0xff)));

    assertThat(files(volume("projected", named("b", false))))
        .containsExactly("ca.pem=" + pem(1, 2) + pem(0xff) + " 644");
  }

  @Test
  void bundlesOfASignerAreSelectedByLabelsAndMerged() {
    bundles(
        bundle("a", "example.com/s", "x", pem(3) + pem(1)),
        bundle("b", "example.com/s", "x", pem(2) + pem(1)),
        bundle("c", "example.com/s", "y", pem(4)),
        bundle("d", "example.com/other", "x", pem(5)));

    assertThat(files(volume("projected", signedBy("example.com/s", label("x")))))
        .containsExactly("ca.pem=" + pem(1) + pem(2) + pem(3) + " 644");
    assertThat(files(volume("projected", signedBy("example.com/s", new LabelSelector(List.of())))))
        .containsExactly("ca.pem=" + pem(1) + pem(2) + pem(3) + pem(4) + " 644");
  }

  @Test
  void missingTrustBundlesFailUnlessTheyAreOptional() {
    bundles(bundle("a", "example.com/s", "x", pem(1)));
    String none = "combination of signerName and labelSelector matched zero ClusterTrustBundles";

    assertThat(failure(volume("projected", signedBy("example.com/s", null)))).isEqualTo(none);
    assertThat(failure(volume("projected", signedBy("example.com/s", label("y"))))).isEqualTo(none);
    assertThat(failure(volume("projected", named("z", false))))
        .isEqualTo(
            "while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io \"z\" not"
                + " found");
    assertThat(failure(volume("projected", named("", false))))
        .isEqualTo("ClusterTrustBundle projection requires either name or signerName to be set");
    assertThat(files(volume("projected", named("z", true)))).containsExactly("ca.pem= 644");
  }

  @Test
  void trustBundlesBelongToTheOnlyUserOfThePod() {
    bundles(bundle("b", "", "x", pem(1)));
    owner = 1000L;

    Outcome owned = volume("projected", named("b", false));

    assertThat(((Outcome.Ready) owned).content().files())
        .containsExactly(new ContentFile("ca.pem", Buffer.buffer(pem(1)), 0600, 1000L));
  }

  @Test
  void trustBundlesAreAwaitedAndRefusedAsTheirReadingSays() {
    ReferredKey key = new ReferredKey(CLUSTER_TRUST_BUNDLE, "", "b");
    objects.put(key, new ReferenceState.Unread(7));
    assertThat(volume("projected", named("b", true))).isEqualTo(new Outcome.Waiting(7));
    objects.put(key, new ReferenceState.Unavailable("no"));
    assertThat(failure(volume("projected", named("b", true)))).isEqualTo("no");
  }

  @Test
  void aTokenIsAwaitedAndBelongsToTheOnlyUserOfThePod() {
    assertThat(volume("projected", TOKEN)).isEqualTo(new Outcome.Waiting(Long.MAX_VALUE));
    tokens.put(TOKEN, new TokenState.Issued("abc"));
    owner = 1000L;

    Outcome owned = volume("projected", TOKEN);

    assertThat(((Outcome.Ready) owned).content().files())
        .containsExactly(new ContentFile("token", Buffer.buffer("abc"), 0600, 1000L));
    owner = null;
    grouped = true;
    assertThat(files(volume("projected", TOKEN))).containsExactly("token=abc 600");
  }

  @ParameterizedTest
  @CsvSource({
    "/etc/x, invalid path: must be relative path: /etc/x",
    "a/../b, invalid path: must not contain '..': a/../b",
    "..x, invalid path: must not start with '..': ..x",
    "'', 'invalid path: must not be empty: \"\"'"
  })
  void pathsStayInTheVolume(String path, String message) {
    known(SECRET, EnvPods.data("o", Map.of("k", "v")));

    assertThat(failure(volume("secret", items(SECRET, false, new Item("k", path, null)))))
        .isEqualTo(message);
  }

  @Test
  void noTextShowsContent() {
    assertThat(new ContentFile("p", Buffer.buffer("hush"), MODE, null).toString())
        .doesNotContain("hush");
    assertThat(new TokenState.Issued("hush").toString()).doesNotContain("hush");
  }
}
