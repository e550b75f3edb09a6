package dev.vertlet.kubeletconfig;

import static dev.vertlet.kubeletconfig.KubeletField.Effect.IGNORED;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.LIVE;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.LOG;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.PROCESS;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.SERVER;
import static dev.vertlet.kubeletconfig.KubeletField.Effect.VERTICLE;

import dev.vertlet.kubeletconfig.KubeletField.Effect;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every field of KubeletConfiguration v1beta1 in the order of its Go type, except kind and
 * apiVersion.
 *
 * @see <a href="https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/">Kubelet
 *     Configuration, Kubernetes 1.36</a>
 */
public final class KubeletFields {
  /** Prefix of a place in the node's template. */
  static final String TEMPLATE = "/nodes/-";

  /** Port of one node; no local key holds it. */
  public static final String PORT = "port";

  /** Field whose values are merged with the local ones. */
  public static final String FEATURE_GATES = "featureGates";

  /** Switch for the directory in {@code server.logDirectory}. */
  public static final String LOG_HANDLER = "enableSystemLogHandler";

  /** Field whose levels are merged with the local ones. */
  public static final String VMODULE = "logging.vmodule";

  private static final Map<List<String>, KubeletField> ALL = new Table().fill();

  private KubeletFields() {}

  /** Returns the leaf fields by path. */
  public static Map<List<String>, KubeletField> all() {
    return ALL;
  }

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
      // without a port, a node gets one of the port range
      local(PORT, Type.INT32, SERVER, "");
      add("readOnlyPort", Type.INT32, PROCESS, "/server/readOnlyPort");
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
      ignored("registryPullQPS", Type.SET_INT32);
      ignored("registryBurst", Type.INT32);
      ignored("imagePullCredentialsVerificationPolicy", Type.TEXT);
      ignored("preloadedImagesVerificationAllowlist", Type.TEXTS);
      add("eventRecordQPS", Type.SET_INT32, LIVE, TEMPLATE + "/eventRecordQPS");
      add("eventBurst", Type.INT32, LIVE, TEMPLATE + "/eventBurst");
      add("enableDebuggingHandlers", Type.BOOL, SERVER, "/server/enableDebuggingHandlers");
      ignored("enableContentionProfiling", Type.BOOL);
      add("healthzPort", Type.SET_INT32, PROCESS, "/server/healthzPort");
      ignored("healthzBindAddress", Type.TEXT);
      ignored("oomScoreAdj", Type.SET_INT32);
      add("clusterDomain", Type.TEXT, LIVE, "/dns/clusterDomain");
      add("clusterDNS", Type.TEXTS, LIVE, "/dns/clusterDNS");
      add(
          "streamingConnectionIdleTimeout",
          Type.DURATION,
          SERVER,
          "/server/streamingConnectionIdleTimeout");
      add("nodeStatusUpdateFrequency", Type.DURATION, LIVE, "/nodeStatus/pingInterval");
      add("nodeStatusReportFrequency", Type.DURATION, LIVE, "/nodeStatus/reportFrequency");
      add("nodeLeaseDurationSeconds", Type.INT32, VERTICLE, "/lease/duration");
    }

    private void images() {
      for (String age : List.of("imageMinimumGCAge", "imageMaximumGCAge")) {
        add(age, Type.DURATION, LIVE, TEMPLATE + "/" + age);
      }
      for (String percent : List.of("imageGCHighThresholdPercent", "imageGCLowThresholdPercent")) {
        add(percent, Type.SET_INT32, LIVE, TEMPLATE + "/" + percent);
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
      ignored("topologyManagerPolicy", Type.TEXT);
      ignored("topologyManagerScope", Type.TEXT);
      ignored("topologyManagerPolicyOptions", Type.TEXT_MAP);
      ignored("qosReserved", Type.TEXT_MAP);
      ignored("runtimeRequestTimeout", Type.DURATION);
      ignored("hairpinMode", Type.TEXT);
    }

    private void resources() {
      // without it, the node's capacity decides
      local("maxPods", Type.INT32, LIVE, TEMPLATE + "/capacity/pods");
      // a node's own value, which is set once
      ignored("podCIDR", Type.TEXT);
      ignored("podPidsLimit", Type.INT64);
      add("resolvConf", Type.FILE, LIVE, "/dns/resolvConf");
      ignored("runOnce", Type.BOOL);
      ignored("cpuCFSQuota", Type.BOOL);
      ignored("cpuCFSQuotaPeriod", Type.SET_DURATION);
      add("nodeStatusMaxImages", Type.SET_INT32, LIVE, "/nodeStatus/maxImages");
      ignored("maxOpenFiles", Type.INT64);
      add("contentType", Type.TEXT, PROCESS, "/kubernetes/encoding");
      add("kubeAPIQPS", Type.SET_INT32, LIVE, TEMPLATE + "/kubeAPIQPS");
      add("kubeAPIBurst", Type.INT32, LIVE, TEMPLATE + "/kubeAPIBurst");
      ignored("serializeImagePulls", Type.BOOL);
      ignored("maxParallelImagePulls", Type.SET_INT32);
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
      ignored("podsPerCore", Type.INT32);
      ignored("enableControllerAttachDetach", Type.BOOL);
      ignored("protectKernelDefaults", Type.BOOL);
      ignored("makeIPTablesUtilChains", Type.BOOL);
      ignored("iptablesMasqueradeBit", Type.SET_INT32);
      ignored("iptablesDropBit", Type.SET_INT32);
      local(FEATURE_GATES, Type.BOOL_MAP, LIVE, "/featureGates");
      ignored("failSwapOn", Type.BOOL);
      ignored("memorySwap.swapBehavior", Type.TEXT);
    }

    private void rest() {
      add("containerLogMaxSize", Type.TEXT, LIVE, "/pods/containerLogMaxSize");
      ignored("containerLogMaxFiles", Type.SET_INT32);
      ignored("containerLogMaxWorkers", Type.SET_INT32);
      ignored("containerLogMonitorInterval", Type.SET_DURATION);
      ignored("configMapAndSecretChangeDetectionStrategy", Type.TEXT);
      for (String reserved : List.of("systemReserved", "kubeReserved")) {
        add(reserved, Type.TEXT_MAP, LIVE, TEMPLATE + "/" + reserved);
      }
      ignored("reservedSystemCPUs", Type.TEXT);
      ignored("showHiddenMetricsForVersion", Type.TEXT);
      ignored("systemReservedCgroup", Type.TEXT);
      ignored("kubeReservedCgroup", Type.TEXT);
      ignored("enforceNodeAllocatable", Type.SET_TEXTS);
      add("allowedUnsafeSysctls", Type.TEXTS, LIVE, "/pods/allowedUnsafeSysctls");
      ignored("volumePluginDir", Type.TEXT);
      ignored("providerID", Type.TEXT);
      ignored("kernelMemcgNotification", Type.BOOL);
      add("logging.format", Type.TEXT, LOG, "/log/format");
      ignored("logging.flushFrequency", Type.TIME);
      local("logging.verbosity", Type.UINT32, LOG, "/log/level");
      local(VMODULE, Type.MODULES, LOG, "/log/levels");
      for (String options : List.of("logging.options.text.", "logging.options.json.")) {
        ignored(options + "splitStream", Type.BOOL);
        ignored(options + "infoBufferSize", Type.QUANTITY);
      }
      // enables or disables the directory of the local configuration
      local(LOG_HANDLER, Type.BOOL, SERVER, "/server/logDirectory");
      ignored("enableSystemLogQuery", Type.BOOL);
      add("shutdownGracePeriod", Type.DURATION, PROCESS, "/agent/shutdownTimeout");
      ignored("shutdownGracePeriodCriticalPods", Type.DURATION);
      ignored("shutdownGracePeriodByPodPriority", Type.PRIORITIES);
      add(
          "crashLoopBackOff.maxContainerRestartPeriod",
          Type.SET_DURATION,
          LIVE,
          "/pods/maxContainerBackOff");
      ignored("reservedMemory", Type.RESERVATIONS);
      ignored("enableProfilingHandler", Type.BOOL);
      ignored("enableDebugFlagsHandler", Type.BOOL);
      ignored("seccompDefault", Type.BOOL);
      ignored("memoryThrottlingFactor", Type.NUMBER);
      ignored("memoryReservationPolicy", Type.TEXT);
      local("registerWithTaints", Type.TAINTS, LIVE, TEMPLATE + "/taints");
      ignored("registerNode", Type.BOOL);
      ignored("tracing.endpoint", Type.TEXT);
      ignored("tracing.samplingRatePerMillion", Type.SET_INT32);
      ignored("localStorageCapacityIsolation", Type.BOOL);
      ignored("containerRuntimeEndpoint", Type.TEXT);
      ignored("imageServiceEndpoint", Type.TEXT);
      ignored("failCgroupV1", Type.BOOL);
      ignored("userNamespaces.idsPerPod", Type.SET_INT64);
    }

    private void add(String name, Type type, Effect effect, String place) {
      put(name, type, effect, place, false);
    }

    /** Adds a field whose local value applies when a dynamic config does not set it. */
    private void local(String name, Type type, Effect effect, String place) {
      put(name, type, effect, place, true);
    }

    private void ignored(String name, Type type) {
      put(name, type, IGNORED, "", true);
    }

    private void put(String name, Type type, Effect effect, String place, boolean keeps) {
      List<String> path = List.of(name.split("\\."));
      fields.put(path, new KubeletField(path, type, effect, place, keeps));
    }
  }
}
