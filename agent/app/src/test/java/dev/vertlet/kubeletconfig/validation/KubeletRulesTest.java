package dev.vertlet.kubeletconfig.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.KubeletValues;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a kubelet demands of a configuration, in its words. */
class KubeletRulesTest {
  private static final String UNDECODABLE = "cannot be decoded";

  /** A configuration, and what a kubelet says of it. */
  private record Answer(String json, List<String> problems) {
    @Override
    public String toString() {
      return json;
    }
  }

  static Stream<Answer> answers() throws IOException {
    List<Answer> answers = new ArrayList<>();
    try (InputStream in =
        Objects.requireNonNull(KubeletRulesTest.class.getResourceAsStream("validation.txt"))) {
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        if (line.startsWith("> ")) {
          answers.add(new Answer(line.substring(2), new ArrayList<>()));
        } else if (line.startsWith("  ")) {
          answers.get(answers.size() - 1).problems().add(line.substring(2));
        }
      }
    }
    return answers.stream();
  }

  private static List<String> broken(String json) {
    JsonObject configuration = new JsonObject(json.replace('\'', '"'));
    KubeletValues values = KubeletValues.read(configuration);
    if (!values.wrong().isEmpty()) {
      return List.of(UNDECODABLE);
    }
    FeatureGates gates = FeatureGates.of(configuration.getValue(KubeletFields.FEATURE_GATES));
    return Stream.concat(
            gates.broken().stream().map(gate -> gate.allowed()),
            KubeletRules.broken(values.set(), gates).stream().map(rule -> rule.allowed()))
        .toList();
  }

  private static List<String> places(String json) {
    KubeletValues values = KubeletValues.read(new JsonObject(json.replace('\'', '"')));
    return KubeletRules.broken(values.set(), FeatureGates.DEFAULTS).stream()
        .map(rule -> rule.pointer().substring(1))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("answers")
  void judgesAsAKubeletDoes(Answer answer) {
    assertThat(broken(answer.json())).containsExactlyInAnyOrderElementsOf(answer.problems());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "''|the supplied pattern is too short: ",
        "'a '|leading/trailing spaces are not allowed: a ",
      })
  void patternsOfImagesAreShownAsTheyAre(String pattern, String problem) {
    assertThat(
            broken(
                "{'imagePullCredentialsVerificationPolicy': 'NeverVerifyAllowlistedImages',"
                    + " 'preloadedImagesVerificationAllowlist': ["
                    + pattern
                    + "]}"))
        .containsExactly(
            "invalid configuration: invalid image pattern in"
                + " `preloadedImagesVerificationAllowlist`: "
                + problem);
  }

  /** These a kubelet judges when it makes its parts, of what it has accepted. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'cpuManagerPolicy': 'dynamic' | unknown policy: \"dynamic\"",
        "'cpuManagerPolicyOptions': {'b': '1', 'a': '2'} | new none policy error: None policy:"
            + " received unsupported options=map[a:2 b:1]",
        "'cpuManagerPolicy': 'static' | [cpumanager] unable to determine reserved CPU resources for"
            + " static policy",
        "'cpuManagerPolicy': 'static', 'kubeReserved': {'cpu': '0m'} | [cpumanager] unable to"
            + " determine reserved CPU resources for static policy",
        "'cpuManagerPolicy': 'static', 'kubeReserved': {'cpu': '100m'} |",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0-1' |",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0', 'cpuManagerPolicyOptions': {'x':"
            + " 'true'} | new static policy error: unknown CPU Manager Policy option: \"x\"",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0', 'cpuManagerPolicyOptions':"
            + " {'full-pcpus-only': 'yes'} | new static policy error: bad value for option"
            + " \"full-pcpus-only\": strconv.ParseBool: parsing \"yes\": invalid syntax",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0', 'cpuManagerPolicyOptions':"
            + " {'align-by-socket': 'true'} | new static policy error: CPU Manager Policy"
            + " Alpha-level Options not enabled, but option \"align-by-socket\" provided",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0', 'cpuManagerPolicyOptions':"
            + " {'distribute-cpus-across-numa': 'true'}, 'featureGates':"
            + " {'CPUManagerPolicyBetaOptions': false} | new static policy error: CPU Manager"
            + " Policy Beta-level Options not enabled, but option \"distribute-cpus-across-numa\""
            + " provided",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0', 'cpuManagerPolicyOptions':"
            + " {'distribute-cpus-across-numa': 'true', 'prefer-align-cpus-by-uncorecache': 't'} |"
            + " new static policy error: static policy options prefer-align-cpus-by-uncorecache and"
            + " distribute-cpus-across-numa can not be used at the same time",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0', 'cpuManagerPolicyOptions':"
            + " {'distribute-cpus-across-numa': 'true', 'prefer-align-cpus-by-uncorecache': '0'} |",
        "'cpuManagerPolicy': 'static', 'reservedSystemCPUs': '0', 'featureGates':"
            + " {'CPUManagerPolicyAlphaOptions': true}, 'cpuManagerPolicyOptions':"
            + " {'align-by-socket': '1'}, 'topologyManagerPolicy': 'single-numa-node' | new static"
            + " policy error: Topolgy manager single-numa-node policy is incompatible with"
            + " CPUManager align-by-socket policy option",
        "'memoryManagerPolicy': 'Some' | unknown policy: \"Some\"",
        "'memoryManagerPolicy': 'BestEffort' | policy \"BestEffort\" is not available for platform"
            + " \"linux\"",
        "'topologyManagerPolicyOptions': {'x': 'y'} |",
        "'topologyManagerPolicy': 'restricted', 'topologyManagerPolicyOptions': {'x': 'y'} |"
            + " unknown Topology Manager Policy option: \"x\"",
        "'topologyManagerPolicy': 'restricted', 'topologyManagerPolicyOptions':"
            + " {'prefer-closest-numa-nodes': ''} | bad value for option"
            + " \"prefer-closest-numa-nodes\": strconv.ParseBool: parsing \"\": invalid syntax",
        "'topologyManagerPolicy': 'restricted', 'topologyManagerPolicyOptions':"
            + " {'max-allowable-numa-nodes': 'all'} | unable to convert policy option to integer"
            + " \"max-allowable-numa-nodes\": strconv.Atoi: parsing \"all\": invalid syntax",
        "'topologyManagerPolicy': 'restricted', 'topologyManagerPolicyOptions':"
            + " {'max-allowable-numa-nodes': '7'} | the minimum value of"
            + " \"max-allowable-numa-nodes\" should not be less than 8",
        "'topologyManagerPolicy': 'restricted', 'topologyManagerPolicyOptions':"
            + " {'max-allowable-numa-nodes': '9'} |",
        "'qosReserved': {'memory': '50%'} |",
        "'qosReserved': {'cpu': '5%'} | --qos-reserved value failed to parse: cannot reserve"
            + " \"cpu\" resource",
        "'qosReserved': {'memory': '5'} | --qos-reserved value failed to parse: failed to parse"
            + " percentage \"5\" for \"memory\" resource: percentage expected, got '5'",
        "'qosReserved': {'memory': 'x%'} | --qos-reserved value failed to parse: failed to parse"
            + " percentage \"x%\" for \"memory\" resource: invalid number in percentage 'x%'",
        "'qosReserved': {'memory': '101%'} | --qos-reserved value failed to parse: failed to parse"
            + " percentage \"101%\" for \"memory\" resource: percentage must be between 0 and 100",
        "'tlsCurvePreferences': [23, 29, 4588] |",
        "'tlsCurvePreferences': [0] | curve preference 0 is out of range (must be 1-65535)",
        "'tlsCurvePreferences': [23, 23] | duplicate curve preference 23",
        "'tlsCurvePreferences': [1] | curve preference 1 is not supported by the current Go"
            + " version",
        "'configMapAndSecretChangeDetectionStrategy': 'Cache' |",
        "'configMapAndSecretChangeDetectionStrategy': 'Poll' | unknown configmap and secret manager"
            + " mode: Poll",
        "'memoryManagerPolicy': 'Some', 'maxPods': -1 | invalid configuration: maxPods (--max-pods)"
            + " -1 must not be a negative number",
      })
  void judgesWhatAKubeletCannotStartWith(String settings, String problem) {
    assertThat(broken("{" + settings + "}"))
        .isEqualTo(problem == null ? List.of() : List.of(problem));
  }

  @Test
  void aFieldOrWhatIsInItsValueIsNamed() {
    assertThat(places("{'imageGCHighThresholdPercent': 80}"))
        .containsExactly("imageGCHighThresholdPercent");
    assertThat(places("{'imageGCLowThresholdPercent': 85}"))
        .containsExactly("imageGCLowThresholdPercent");
    assertThat(places("{'shutdownGracePeriod': '-1s'}"))
        .containsExactly("shutdownGracePeriod", "shutdownGracePeriod");
    assertThat(places("{'cgroupsPerQOS': false}")).containsExactly("cgroupsPerQOS");
    assertThat(places("{'crashLoopBackOff': {'maxContainerRestartPeriod': '0s'}}"))
        .containsExactly("crashLoopBackOff/maxContainerRestartPeriod");
    assertThat(places("{'registerWithTaints': [{'key': 'a'}, {'key': ''}]}"))
        .containsExactly("registerWithTaints/1");
    assertThat(places("{'reservedMemory': [{'limits': {'cpu': '1'}}]}"))
        .containsExactly("reservedMemory/0");
    assertThat(places("{'logging': {'vmodule': [{'filePattern': 'a,b'}]}}"))
        .containsExactly("logging/vmodule/0");
    assertThat(places("{'logging': {'options': {'json': {'splitStream': true}}}}"))
        .containsExactly("logging/options/json/splitStream");
    assertThat(places("{'qosReserved': {'cpu': '5%'}}")).containsExactly("qosReserved/cpu");
  }

  @Test
  void filesOfGoHaveNoLevelsHere() {
    assertThat(broken("{'logging': {'vmodule': [{'filePattern': 'kube*', 'verbosity': 3}]}}"))
        .containsExactly(
            "filePattern \"kube*\" must be a package or class such as lease, without wildcards");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "0.5, 0.5",
    "-2, -2",
    "100000, 100000",
    "1000000, 1e+06",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "-12345678, -1.2345678e+07",
    "0, 0"
  })
  void numbersAreWrittenAsGoWritesThem(double number, String text) {
    assertThat(GoText.number(number)).isEqualTo(text);
  }
}
