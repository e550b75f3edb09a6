package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.kube.access.TlsEngine;
import dev.vertlet.kube.client.HttpProtocol;
import dev.vertlet.pods.PodWatchOptions;
import dev.vertlet.problem.Problems;
import java.time.Duration;

/**
 * Section {@code kubernetes}: the API server and the client's limits.
 *
 * @param kubeconfig path of a kubeconfig; empty for the usual search
 * @param context context of the kubeconfig; empty for its current context
 * @param requestTimeout time limit of one request other than a watch, 1 s to 10 min
 * @param maxRequestsInFlight concurrent requests, 1 to 1000
 * @param kubeAPIQPS requests per second; 0 for no limit
 * @param kubeAPIBurst requests at once under that limit; 0 for as many as {@code kubeAPIQPS}
 * @param listPageSize objects in one page, 1 to 10000
 * @param maxWatchEventBytes largest watch event in bytes
 */
public record KubernetesConfig(
    String kubeconfig,
    String context,
    HttpProtocol protocol,
    TlsEngine tls,
    Encoding encoding,
    PodWatchOptions.Mode watch,
    Duration requestTimeout,
    int maxRequestsInFlight,
    int kubeAPIQPS,
    int kubeAPIBurst,
    int listPageSize,
    int maxWatchEventBytes) {
  public KubernetesConfig {
    new Problems("/kubernetes")
        .range("/requestTimeout", requestTimeout, Duration.ofSeconds(1), Duration.ofMinutes(10))
        .that(
            kubeAPIBurst == 0 || kubeAPIQPS > 0,
            "/kubeAPIBurst",
            kubeAPIBurst,
            "must be 0 while kubernetes.kubeAPIQPS is 0, which means no cap")
        .that(
            kubeAPIBurst == 0 || kubeAPIBurst >= kubeAPIQPS,
            "/kubeAPIBurst",
            kubeAPIBurst,
            "must not be below kubernetes.kubeAPIQPS " + kubeAPIQPS)
        .done(ConfigException::new);
  }

  /** What the API server is asked to answer in. */
  public enum Encoding {
    PROTOBUF,
    JSON
  }
}
