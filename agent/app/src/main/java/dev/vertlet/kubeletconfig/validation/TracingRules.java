package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import java.util.List;

/**
 * Rules for the section {@code tracing}.
 *
 * @see <a
 *     href="https://github.com/kubernetes/component-base/blob/v0.36.3/tracing/api/v1/config.go">component-base/tracing/api/v1</a>
 */
final class TracingRules {
  private static final String RATE = "tracing.samplingRatePerMillion";
  private static final String ENDPOINT = "tracing.endpoint";
  private static final long MILLION = 1_000_000;

  private TracingRules() {}

  static void check(Judged judged) {
    long rate = judged.number(RATE, 0);
    if (rate < 0) {
      refuse(judged, RATE, String.valueOf(rate), "sampling rate must be positive");
    }
    if (rate > MILLION) {
      refuse(
          judged,
          RATE,
          String.valueOf(rate),
          "sampling rate per million must be less than or equal to one million");
    }
    if (judged.isSet(ENDPOINT)) {
      endpoint(judged, judged.text(ENDPOINT, ""));
    }
  }

  private static void endpoint(Judged judged, String written) {
    String endpoint = written.contains("//") ? written : "dns://" + written;
    GoUrl url = GoUrl.parse(endpoint);
    if (!url.problem().isEmpty()) {
      refuse(judged, ENDPOINT, quoted(endpoint), url.problem());
    } else if (!List.of("dns", "unix", "unix-abstract").contains(url.scheme())) {
      refuse(
          judged,
          ENDPOINT,
          quoted(endpoint),
          ("unsupported scheme: %s.  Options are none, dns, unix, or unix-abstract.  See"
                  + " https://github.com/grpc/grpc/blob/master/doc/naming.md")
              .formatted(url.scheme()));
    }
  }

  private static void refuse(Judged judged, String field, String value, String problem) {
    judged.refuse(field, GoText.invalid(field, value, problem));
  }
}
