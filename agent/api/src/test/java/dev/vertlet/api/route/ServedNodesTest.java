package dev.vertlet.api.route;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.pod.PodProvider;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of a call that a provider leaves open. */
@ExtendWith(VertxExtension.class)
class ServedNodesTest {
  private static ServedNodes providers(Vertx vertx) {
    PodProvider idle =
        (PodProvider)
            Proxy.newProxyInstance(
                PodProvider.class.getClassLoader(),
                new Class<?>[] {PodProvider.class},
                (proxy, method, arguments) -> {
                  throw new AssertionError(method + " was not asked for");
                });
    return new ServedNodes(
        vertx,
        Map.of("n", new ServedNodes.ServedNode(idle, Runnable::run))::get,
        Duration.ofMillis(20));
  }

  @Test
  void whatIsNotAnsweredFailsInTime(Vertx vertx) {
    ServedNodes providers = providers(vertx);

    assertThatThrownBy(() -> get(providers.ask("n", idle -> Future.future(never -> {}))))
        .hasMessage("the provider did not answer within 20 ms\n");
  }

  @Test
  void whatIsAnsweredOrFailsIsHandedOn(Vertx vertx) throws Exception {
    ServedNodes providers = providers(vertx);

    Future<Integer> answer = providers.ask("n", idle -> Future.succeededFuture(7));
    assertThat(get(answer)).isEqualTo(7);
    assertThatThrownBy(
            () ->
                get(
                    providers.ask(
                        "n", idle -> Future.failedFuture(new IllegalStateException("no")))))
        .hasMessage("no");
    assertThatThrownBy(() -> get(providers.ask("m", idle -> Future.succeededFuture(7))))
        .isInstanceOf(HttpFailure.class);
  }
}
