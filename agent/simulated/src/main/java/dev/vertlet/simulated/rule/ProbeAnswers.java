package dev.vertlet.simulated.rule;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Converts scripted answers to probe results, in the words of a kubelet's probes. */
public final class ProbeAnswers {
  private static final Future<ProbeResult> OK = Future.succeededFuture(ProbeResult.SUCCESS);

  private ProbeAnswers() {}

  public static Future<ProbeResult> of(ProbeScript.Answer answer, ProbeRequest request) {
    return switch (answer) {
      case OK -> OK;
      case FAIL -> Future.succeededFuture(ProbeResult.failure(refusal(request)));
      case WARN -> Future.succeededFuture(ProbeResult.warning("simulated warning"));
      case ERROR -> error("the probe could not be made");
      // never completes: the caller's probe timeout ends it
      case HANG -> Promise.<ProbeResult>promise().future();
    };
  }

  public static Future<ProbeResult> error(String message) {
    return Future.failedFuture(
        new ProviderException(ProviderException.Kind.TEMPORARY, "ProbeError", message));
  }

  private static String refusal(ProbeRequest request) {
    HandlerView handler = request.probe().handler();
    if (handler instanceof HandlerView.HttpGet) {
      return "HTTP probe failed with statuscode: 500";
    } else if (handler instanceof HandlerView.TcpSocket tcp) {
      String host = tcp.host().isEmpty() ? request.podIP() : tcp.host();
      return "dial tcp " + host + ":" + tcp.port() + ": connect: connection refused";
    } else if (handler instanceof HandlerView.Grpc) {
      return "service unhealthy (responded with \"NOT_SERVING\")";
    }
    return "simulated failure";
  }
}
