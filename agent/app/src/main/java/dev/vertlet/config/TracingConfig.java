package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.problem.Problems;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/**
 * Section {@code tracing}: traces of requests and pods.
 *
 * @param exporter name of an OpenTelemetry exporter; {@value #NONE} for no traces
 * @param endpoint URL of the collector; empty for the exporter's default
 * @param samplingRatePerMillion sampled share of pod timelines and of requests without a parent
 *     trace, 0 to 1,000,000
 * @param serviceName service name of the spans
 */
public record TracingConfig(
    String exporter, String endpoint, int samplingRatePerMillion, String serviceName) {
  public static final String NONE = "none";

  public TracingConfig {
    Problems problems =
        new Problems("/tracing")
            .that(
                endpoint.isEmpty() || isHttp(endpoint),
                "/endpoint",
                endpoint,
                "must be an http or https URL, such as http://localhost:4318")
            .that(!serviceName.isBlank(), "/serviceName", serviceName, "must not be blank");
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
