package dev.vertlet.config;

import dev.vertlet.problem.Problems;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/**
 * Traces of requests and of pods.
 *
 * @param exporter name of an OpenTelemetry exporter; {@value #NONE} for no traces
 * @param endpoint of the collector; empty for the exporter's own default
 * @param samplingRatePerMillion of requests that belong to no trace yet, and of ways of pods, 0 to
 *     1,000,000
 * @param serviceName what the spans' service is called
 */
public record TracingConfig(
    String exporter, String endpoint, int samplingRatePerMillion, String serviceName) {
  public static final String NONE = "none";

  private static final int MILLION = 1_000_000;

  public TracingConfig {
    Problems problems =
        new Problems("/tracing")
            .that(
                endpoint.isEmpty() || isHttp(endpoint),
                "/endpoint",
                endpoint,
                "must be an http or https URL, such as http://localhost:4318")
            .that(!serviceName.isBlank(), "/serviceName", serviceName, "must not be blank")
            .range("/samplingRatePerMillion", samplingRatePerMillion, 0, MILLION);
    if (!exporter.equals(NONE)) {
      TreeSet<String> known = exporters();
      problems.that(
          known.contains(exporter),
          "/exporter",
          exporter,
          "must be one of none, " + String.join(", ", known));
    }
    problems.done(ConfigException::new);
  }

  public boolean enabled() {
    return !exporter.equals(NONE);
  }

  private static boolean isHttp(String text) {
    try {
      URI url = new URI(text);
      return url.getHost() != null && Set.of("http", "https").contains(url.getScheme());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static TreeSet<String> exporters() {
    TreeSet<String> names = new TreeSet<>();
    ServiceLoader.load(ConfigurableSpanExporterProvider.class)
        .forEach(provider -> names.add(provider.getName()));
    return names;
  }
}
