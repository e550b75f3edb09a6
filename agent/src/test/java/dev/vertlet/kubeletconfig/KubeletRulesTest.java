package dev.vertlet.kubeletconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a kubelet demands beyond the values of single fields, in its words. */
class KubeletRulesTest {
  private static List<String> broken(String json) {
    KubeletValues values = KubeletValues.read(new JsonObject(json.replace('\'', '"')));
    return KubeletRules.broken(values.set(), FeatureGates.DEFAULTS).stream()
        .map(rule -> String.join(".", rule.path()) + ": " + rule.problem())
        .toList();
  }

  @Test
  void defaultsKeepTheRules() {
    assertThat(broken("{}")).isEmpty();
  }

  @Test
  void theLowThresholdOfImagesIsBelowTheHighOneAlsoByItsDefault() {
    assertThat(broken("{'imageGCHighThresholdPercent': 80}"))
        .containsExactly(
            "imageGCHighThresholdPercent: invalid configuration: imageGCLowThresholdPercent"
                + " (--image-gc-low-threshold) 80 must be less than imageGCHighThresholdPercent"
                + " (--image-gc-high-threshold) 80");
    assertThat(broken("{'imageGCLowThresholdPercent': 85}"))
        .singleElement()
        .asString()
        .startsWith("imageGCLowThresholdPercent: ");
    assertThat(broken("{'imageGCHighThresholdPercent': 80, 'imageGCLowThresholdPercent': 79}"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'imageMaximumGCAge': '2m' | imageMaximumGCAge 2m0s must be greater than imageMinimumGCAge"
            + " 2m0s",
        "'imageMinimumGCAge': '-1s' | imageMinimumGCAge -1s must not be negative",
        "'systemCgroups': '/x' | systemCgroups (--system-cgroups) was specified and cgroupRoot"
            + " (--cgroup-root) was not specified",
        "'cpuCFSQuotaPeriod': '2s' | cpuCFSQuotaPeriod (--cpu-cfs-quota-period) 2s must be between"
            + " 1ms and 1sec, inclusive",
        "'shutdownGracePeriodCriticalPods': '5s' | shutdownGracePeriodCriticalPods 5s must be <="
            + " shutdownGracePeriod 0s",
        "'shutdownGracePeriod': '10ms' | shutdownGracePeriod 10ms must be either zero or otherwise"
            + " >= 1 sec",
        "'enforceNodeAllocatable': ['none','pods'] | enforceNodeAllocatable"
            + " (--enforce-node-allocatable) may not contain additional enforcements when \"none\""
            + " is specified",
        "'enforceNodeAllocatable': ['pods','pods'] | duplicated enforcements \"pods\" in"
            + " enforceNodeAllocatable (--enforce-node-allocatable)",
        "'enforceNodeAllocatable': ['kube-reserved'] | kubeReservedCgroup (--kube-reserved-cgroup)"
            + " must be specified when \"kube-reserved\" or \"kube-reserved-compressible\" included"
            + " in enforceNodeAllocatable (--enforce-node-allocatable)",
        "'memoryThrottlingFactor': 1.5 | memoryThrottlingFactor 1.5 must be greater than 0 and less"
            + " than or equal to 1.0",
        "'memoryReservationPolicy': 'TieredReservation' | memoryReservationPolicy"
            + " \"TieredReservation\" requires MemoryQoS feature gate to be enabled",
        "'containerLogMonitorInterval': '2s' | containerLogMonitorInterval must be a positive time"
            + " duration greater than or equal to 3s",
        "'podLogsDir': 'logs' | pod logs path \"logs\" must be absolute path",
        "'podLogsDir': '/a/../b' | pod logs path \"/a/../b\" must be normalized",
        "'imagePullCredentialsVerificationPolicy': 'Maybe' | option \"Maybe\" specified for"
            + " imagePullCredentialsVerificationPolicy. Valid options are \"NeverVerify\","
            + " \"NeverVerifyPreloadedImages\", \"NeverVerifyAllowlistedImages\" or"
            + " \"AlwaysVerify\"",
      })
  void refusesInAKubeletsWords(String setting, String problem) {
    String field = setting.substring(1, setting.indexOf('\'', 1));

    assertThat(broken("{" + setting + "}"))
        .containsExactly(field + ": invalid configuration: " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'maxParallelImagePulls': 5} | 0",
        "{'maxParallelImagePulls': 5, 'serializeImagePulls': true} | 1",
        "{'shutdownGracePeriod': '9s', 'shutdownGracePeriodByPodPriority': [{'priority': 1}]} | 1",
        "{'enforceNodeAllocatable': ['pods'], 'cgroupsPerQOS': false} | 1",
        "{'enableSystemLogQuery': true} | 0",
        "{'enableSystemLogQuery': true, 'enableSystemLogHandler': false} | 1",
        "{'reservedSystemCPUs': '0', 'kubeReservedCgroup': '/k'} | 1",
        "{'userNamespaces': {'idsPerPod': 65536}} | 0",
        "{'userNamespaces': {'idsPerPod': 65537}} | 1",
        "{'featureGates': {'KubeletCrashLoopBackOffMax': false},"
            + " 'crashLoopBackOff': {'maxContainerRestartPeriod': '9s'}} | 1",
        "{'serverTLSBootstrap': true, 'featureGates': {'RotateKubeletServerCertificate': false}}"
            + " | 1",
        "{'reservedMemory': [{'numaNode': 0, 'limits': {'memory': '1Gi', 'cpu': '1'}}]} | 1",
        "{'reservedMemory': [{'numaNode': 0, 'limits': {'memory': '0Gi'}}]} | 1",
        "{'preloadedImagesVerificationAllowlist': ['a']} | 1",
      })
  void comparesFieldsWithEachOther(String json, int problems) {
    assertThat(broken(json)).hasSize(problems);
  }
}
