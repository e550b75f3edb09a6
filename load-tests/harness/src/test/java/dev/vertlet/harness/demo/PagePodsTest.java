package dev.vertlet.harness.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.util.List;
import org.junit.jupiter.api.Test;

class PagePodsTest {
  private static Object at(String pointer, JsonArray containers) {
    return JsonPointer.from(pointer).queryJson(containers);
  }

  @Test
  void eachPodServesAPortOfItsOwn() {
    PagePods pods = PagePods.create(3);

    assertThat(pods.ports()).hasSize(3).doesNotHaveDuplicates();
    for (int i = 0; i < 3; i++) {
      int port = pods.ports().get(i);
      JsonArray containers = pods.containers(i);
      assertThat(containers).hasSize(1);
      assertThat(((JsonArray) at("/0/command", containers)).contains(Integer.toString(port)))
          .isTrue();
      assertThat(at("/0/ports/0/containerPort", containers)).isEqualTo(port);
      assertThat(at("/0/readinessProbe/httpGet/port", containers)).isEqualTo(port);
      assertThat(pods.urls().get(i)).isEqualTo("http://127.0.0.1:%d/".formatted(port));
    }
  }

  @Test
  void theServiceSelectsThePodsAndTheirPortByName() {
    JsonObject service = PagePods.service("demo");
    JsonArray containers = new PagePods(List.of(8001)).containers(0);

    assertThat(service.getJsonObject("spec").getJsonObject("selector"))
        .isEqualTo(new JsonObject().put("app", "demo"));
    assertThat(JsonPointer.from("/spec/ports/0/targetPort").queryJson(service))
        .isEqualTo(at("/0/ports/0/name", containers));
  }

  @Test
  void rootIsAllowedToRootAlone() {
    assertThat(PagePods.settings(false)).anyMatch(each -> each.contains("\"allowRoot\":false"));
    assertThat(PagePods.settings(true)).anyMatch(each -> each.contains("\"allowRoot\":true"));
  }
}
