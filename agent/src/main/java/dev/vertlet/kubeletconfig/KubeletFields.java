package dev.vertlet.kubeletconfig;

import static dev.vertlet.kubeletconfig.KubeletField.Effect.IGNORED;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.LIVE;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.LOG;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.PROCESS;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.SERVER;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.VERTICLE;

import dev.vertlet.kubeletconfig.KubeletField.Effect;
import dev.vertlet.kubeletconfig.KubeletField.Rule;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Every field of KubeletConfiguration v1beta1, in the order of its type, but for kind and
 * apiVersion.
 *
 * @see <a href="https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/">Kubelet
 *     Configuration, Kubernetes 1.36</a>
 */
public final class KubeletFields {
  /** In a place: the node's template. */
  static final String TEMPLATE = "/nodes/-";

  /** Of one node, which no place of the local configuration is. */
  public static final String PORT = "port";

  /** Whose values are added to the local ones. */
  public static final String FEATURE_GATES = "featureGates";

  /** A switch for what {@code server.logDirectory} names. */
  public static final String LOG_HANDLER = "enableSystemLogHandler";

  /** Whose levels are added to the local ones. */
  static final String VMODULE = "logging.vmodule";

  /** A package or a class; patterns of files are refused, as here are none. */
  private static final Pattern LOGGER = Pattern.compile("[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*");

  private static final Map<List<String>, KubeletField> ALL = new Table().fill();

  private KubeletFields() {}

  /** By path, the leaves alone. */
  public static Map<List<String>, KubeletField> all() {
    return ALL;
  }

  /** Writes the table down. */
  private static final class Table {
    private final Map<List<String>, KubeletField> fields = new LinkedHashMap<>();

    Map<List<String>, KubeletField> fill() {
      server();
      checks();
      images();
      machine();
      resources();
      eviction();
      rest();
      return Collections.unmodifiableMap(fields);
    }

    private void server() {
      add("enableServer", Type.BOOL, PROCESS, "/server/enableServer");
      add("staticPodPath", Type.FILE, VERTICLE, TEMPLATE + "/staticPodPath");
      ignored("podLogsDir", Type.TEXT);
      add("syncFrequency", Type.DURATION, LIVE, "/pods/syncFrequency");
      add("fileCheckFrequency", Type.DURATION, VERTICLE, "/pods/fileCheckFrequency");
      add("httpCheckFrequency", Type.DURATION, VERTICLE, "/pods/httpCheckFrequency");
      add("staticPodURL", Type.TEXT, VERTICLE, TEMPLATE + "/staticPodURL");
      ignored("staticPodURLHeader", Type.TEXTS_MAP);
      add("address", Type.TEXT, SERVER, "/server/kubeletAddress");
      // without one, a node has its place in the range of ports
      local(PORT, Type.INT32, SERVER, "", range(1, 65_535));
      add("readOnlyPort", Type.INT32, PROCESS, "/server/readOnlyPort", range(0, 65_535));
      add("tlsCertFile", Type.FILE, SERVER, "/server/tls/tlsCertFile");
      add("tlsPrivateKeyFile", Type.FILE, SERVER, "/server/tls/tlsPrivateKeyFile");
      add("tlsCipherSuites", Type.TEXTS, SERVER, "/server/tls/tlsCipherSuites");
      ignored("tlsCurvePreferences", Type.INTS);
      add("tlsMinVersion", Type.TEXT, SERVER, "/server/tls/tlsMinVersion");
      ignored("rotateCertificates", Type.BOOL);
      add("serverTLSBootstrap", Type.BOOL, SERVER, "/server/tls/serverTLSBootstrap");
      String known = "/server/authentication/";
      add("authentication.x509.clientCAFile", Type.FILE, SERVER, known + "clientCAFile");
      add("authentication.webhook.enabled", Type.BOOL, SERVER, known + "webhook");
      add("authentication.webhook.cacheTTL", Type.DURATION, SERVER, known + "webhookCacheTTL");
      add("authentication.anonymous.enabled", Type.BOOL, SERVER, known + "anonymous");
      String allowed = "/server/authorization/";
      add("authorization.mode", Type.TEXT, SERVER, allowed + "mode");
      for (String ttl : List.of("cacheAuthorizedTTL", "cacheUnauthorizedTTL")) {
        add("authorization.webhook." + ttl, Type.DURATION, SERVER, allowed + ttl);
      }
    }

    private void checks() {
      ignored("registryPullQPS", Type.SET_INT32, atLeast(0));
      ignored("registryBurst", Type.INT32, atLeast(0));
      ignored("imagePullCredentialsVerificationPolicy", Type.TEXT);
      ignored("preloadedImagesVerificationAllowlist", Type.TEXTS);
      add("eventRecordQPS", Type.SET_INT32, LIVE, TEMPLATE + "/eventRecordQPS", atLeast(0));
      add("eventBurst", Type.INT32, LIVE, TEMPLATE + "/eventBurst", atLeast(0));
      add("enableDebuggingHandlers", Type.BOOL, SERVER, "/server/enableDebuggingHandlers");
      ignored("enableContentionProfiling", Type.BOOL);
      add("healthzPort", Type.SET_INT32, PROCESS, "/server/healthzPort", range(0, 65_535));
      ignored("healthzBindAddress", Type.TEXT);
      ignored("oomScoreAdj", Type.SET_INT32, range(-1000, 1000));
      add("clusterDomain", Type.TEXT, LIVE, "/dns/clusterDomain");
      add("clusterDNS", Type.TEXTS, LIVE, "/dns/clusterDNS");
      add(
          "streamingConnectionIdleTimeout",
          Type.DURATION,
          SERVER,
          "/server/streamingConnectionIdleTimeout");
      add("nodeStatusUpdateFrequency", Type.DURATION, LIVE, "/nodeStatus/pingInterval");
      add("nodeStatusReportFrequency", Type.DURATION, LIVE, "/nodeStatus/reportFrequency");
      add("nodeLeaseDurationSeconds", Type.INT32, VERTICLE, "/lease/duration", atLeast(1));
    }

    private void images() {
      for (String age : List.of("imageMinimumGCAge", "imageMaximumGCAge")) {
        add(age, Type.DURATION, LIVE, TEMPLATE + "/" + age);
      }
      for (String percent : List.of("imageGCHighThresholdPercent", "imageGCLowThresholdPercent")) {
        add(percent, Type.SET_INT32, LIVE, TEMPLATE + "/" + percent, range(0, 100));
      }
      ignored("volumeStatsAggPeriod", Type.DURATION);
    }

    private void machine() {
      ignored("kubeletCgroups", Type.TEXT);
      ignored("systemCgroups", Type.TEXT);
      ignored("cgroupRoot", Type.TEXT);
      ignored("cgroupsPerQOS", Type.BOOL);
      ignored("cgroupDriver", Type.TEXT);
      ignored("cpuManagerPolicy", Type.TEXT);
      ignored("singleProcessOOMKill", Type.BOOL);
      ignored("cpuManagerPolicyOptions", Type.TEXT_MAP);
      ignored("cpuManagerReconcilePeriod", Type.DURATION);
      ignored("memoryManagerPolicy", Type.TEXT);
      ignored(
          "topologyManagerPolicy",
          Type.TEXT,
          oneOf("none", "best-effort", "restricted", "single-numa-node"));
      ignored("topologyManagerScope", Type.TEXT, oneOf("container", "pod"));
      ignored("topologyManagerPolicyOptions", Type.TEXT_MAP);
      ignored("qosReserved", Type.TEXT_MAP);
      ignored("runtimeRequestTimeout", Type.DURATION);
      ignored("hairpinMode", Type.TEXT, oneOf("promiscuous-bridge", "hairpin-veth", "none"));
    }

    private void resources() {
      // without it, a node has room for the pods of its capacity
      local("maxPods", Type.INT32, LIVE, TEMPLATE + "/capacity/pods", atLeast(0));
      // a node's own, given once
      ignored("podCIDR", Type.TEXT);
      ignored("podPidsLimit", Type.INT64);
      add("resolvConf", Type.FILE, LIVE, "/dns/resolvConf");
      ignored("runOnce", Type.BOOL, value -> value.equals(true) ? "must be false" : null);
      ignored("cpuCFSQuota", Type.BOOL);
      ignored("cpuCFSQuotaPeriod", Type.DURATION);
      ignored("nodeStatusMaxImages", Type.SET_INT32, atLeast(-1));
      ignored("maxOpenFiles", Type.INT64, atLeast(0));
      add("contentType", Type.TEXT, PROCESS, "/kubernetes/encoding");
      add("kubeAPIQPS", Type.SET_INT32, LIVE, TEMPLATE + "/kubeAPIQPS", atLeast(0));
      add("kubeAPIBurst", Type.INT32, LIVE, TEMPLATE + "/kubeAPIBurst", atLeast(0));
      ignored("serializeImagePulls", Type.BOOL);
      ignored("maxParallelImagePulls", Type.SET_INT32, atLeast(1));
    }

    private void eviction() {
      for (String field :
          List.of(
              "evictionHard",
              "evictionSoft",
              "evictionSoftGracePeriod",
              "evictionMinimumReclaim")) {
        add(field, Type.TEXT_MAP, LIVE, TEMPLATE + "/" + field);
      }
      String transition = "evictionPressureTransitionPeriod";
      add(transition, Type.DURATION, LIVE, TEMPLATE + "/" + transition);
      String grace = "evictionMaxPodGracePeriod";
      add(grace, Type.INT32, LIVE, TEMPLATE + "/" + grace);
      ignored("mergeDefaultEvictionSettings", Type.BOOL);
      ignored("podsPerCore", Type.INT32, atLeast(0));
      ignored("enableControllerAttachDetach", Type.BOOL);
      ignored("protectKernelDefaults", Type.BOOL);
      ignored("makeIPTablesUtilChains", Type.BOOL);
      ignored("iptablesMasqueradeBit", Type.SET_INT32, range(0, 31));
      ignored("iptablesDropBit", Type.SET_INT32, range(0, 31));
      local(
          FEATURE_GATES, Type.BOOL_MAP, LIVE, "/featureGates", value -> gates((JsonObject) value));
      ignored("failSwapOn", Type.BOOL);
      ignored("memorySwap.swapBehavior", Type.TEXT, oneOf("NoSwap", "LimitedSwap"));
    }

    private void rest() {
      add("containerLogMaxSize", Type.TEXT, LIVE, "/pods/containerLogMaxSize");
      ignored("containerLogMaxFiles", Type.SET_INT32, atLeast(2));
      ignored("containerLogMaxWorkers", Type.SET_INT32, atLeast(1));
      ignored("containerLogMonitorInterval", Type.DURATION);
      ignored("configMapAndSecretChangeDetectionStrategy", Type.TEXT);
      for (String reserved : List.of("systemReserved", "kubeReserved")) {
        add(reserved, Type.TEXT_MAP, LIVE, TEMPLATE + "/" + reserved);
      }
      ignored("reservedSystemCPUs", Type.TEXT);
      ignored("showHiddenMetricsForVersion", Type.TEXT);
      ignored("systemReservedCgroup", Type.TEXT);
      ignored("kubeReservedCgroup", Type.TEXT);
      ignored("enforceNodeAllocatable", Type.TEXTS);
      add("allowedUnsafeSysctls", Type.TEXTS, LIVE, "/pods/allowedUnsafeSysctls");
      ignored("volumePluginDir", Type.TEXT);
      ignored("providerID", Type.TEXT);
      ignored("kernelMemcgNotification", Type.BOOL);
      add("logging.format", Type.TEXT, LOG, "/log/format", oneOf("text", "json"));
      ignored("logging.flushFrequency", Type.ANY);
      local("logging.verbosity", Type.INT32, LOG, "/log/level", atLeast(0));
      local(VMODULE, Type.OBJECTS, LOG, "/log/levels", value -> vmodule((JsonArray) value));
      ignored("logging.options", Type.ANY);
      // whether, of the directory that the local configuration names
      local(LOG_HANDLER, Type.BOOL, SERVER, "/server/logDirectory", Rule.NONE);
      ignored("enableSystemLogQuery", Type.BOOL);
      add("shutdownGracePeriod", Type.DURATION, PROCESS, "/agent/shutdownTimeout");
      ignored("shutdownGracePeriodCriticalPods", Type.DURATION);
      ignored("shutdownGracePeriodByPodPriority", Type.OBJECTS);
      add(
          "crashLoopBackOff.maxContainerRestartPeriod",
          Type.DURATION,
          LIVE,
          "/pods/maxContainerBackOff");
      ignored("reservedMemory", Type.OBJECTS);
      ignored("enableProfilingHandler", Type.BOOL);
      ignored("enableDebugFlagsHandler", Type.BOOL);
      ignored("seccompDefault", Type.BOOL);
      ignored("memoryThrottlingFactor", Type.NUMBER);
      ignored("memoryReservationPolicy", Type.TEXT);
      local("registerWithTaints", Type.OBJECTS, LIVE, TEMPLATE + "/taints", Rule.NONE);
      ignored("registerNode", Type.BOOL);
      ignored("tracing.endpoint", Type.TEXT);
      ignored("tracing.samplingRatePerMillion", Type.SET_INT32);
      ignored("localStorageCapacityIsolation", Type.BOOL);
      ignored("containerRuntimeEndpoint", Type.TEXT);
      ignored("imageServiceEndpoint", Type.TEXT);
      ignored("failCgroupV1", Type.BOOL);
      ignored("userNamespaces.idsPerPod", Type.INT64);
    }

    private void add(String name, Type type, Effect effect, String place) {
      add(name, type, effect, place, Rule.NONE);
    }

    private void add(String name, Type type, Effect effect, String place, Rule rule) {
      put(name, type, effect, place, false, rule);
    }

    /** Where the local configuration counts when a payload says nothing. */
    private void local(String name, Type type, Effect effect, String place, Rule rule) {
      put(name, type, effect, place, true, rule);
    }

    private void ignored(String name, Type type) {
      ignored(name, type, Rule.NONE);
    }

    private void ignored(String name, Type type, Rule rule) {
      put(name, type, IGNORED, "", true, rule);
    }

    private void put(
        String name, Type type, Effect effect, String place, boolean keeps, Rule rule) {
      List<String> path = List.of(name.split("\\."));
      fields.put(path, new KubeletField(path, type, effect, place, keeps, rule));
    }

    private static @Nullable String gates(JsonObject gates) {
      List<String> broken =
          gates.stream()
              .map(gate -> FeatureGates.broken(gate.getKey(), gate.getValue().equals(true)))
              .filter(Objects::nonNull)
              .toList();
      return broken.isEmpty() ? null : String.join(", ", broken);
    }

    private static @Nullable String vmodule(JsonArray modules) {
      boolean good =
          modules.stream()
              .map(JsonObject.class::cast)
              .allMatch(
                  module ->
                      module.getValue("filePattern") instanceof String name
                          && LOGGER.matcher(name).matches()
                          && module.getValue("verbosity") instanceof Integer verbosity
                          && verbosity >= 0);
      return good
          ? null
          : "must be objects of filePattern, a package or class such as lease without wildcards,"
              + " and verbosity, a whole number that is at least 0";
    }

    private static Rule atLeast(long least) {
      return value -> ((Number) value).longValue() < least ? "must be at least " + least : null;
    }

    private static Rule range(long least, long most) {
      return value -> {
        long number = ((Number) value).longValue();
        return number < least || number > most
            ? "must be from %d to %d".formatted(least, most)
            : null;
      };
    }

    private static Rule oneOf(String... words) {
      return value ->
          Set.of(words).contains(value) ? null : "must be one of " + String.join(", ", words);
    }
  }
}
