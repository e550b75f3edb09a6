package dev.vertlet.harness.replay.life;

import static dev.vertlet.harness.replay.SampleTrace.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.replay.SampleTrace;
import dev.vertlet.harness.replay.life.LifeBook.Match;
import dev.vertlet.harness.replay.plan.Recording;
import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LifeBookTest {
  private static final WorkloadRef DB = SampleTrace.workload("apps/v1", "StatefulSet", "db");

  private static PodView pod(String name, String annotation, String value) {
    JsonObject object =
        new JsonObject()
            .put("apiVersion", "v1")
            .put("kind", "Pod")
            .put(
                "metadata",
                new JsonObject()
                    .put("name", name)
                    .put("namespace", "shop")
                    .put("uid", "uid-" + name)
                    .put("resourceVersion", "1")
                    .put("annotations", new JsonObject().put(annotation, value)))
            .put("spec", new JsonObject())
            .put("status", new JsonObject());
    JsonObject event = new JsonObject().put("type", "ADDED").put("object", object);
    WatchEvent<PodView> decoded =
        new PodDecoder().decodeEvent("application/json", Buffer.buffer(event.encode()));
    return ((WatchEvent.Upsert<PodView>) decoded).object();
  }

  private static PodView pod(String name) {
    return pod(name, ReplayLabels.TEMPLATE, "0/0");
  }

  private static @Nullable String name(@Nullable PodLife life) {
    return life == null ? null : life.identity().name();
  }

  private static SampleTrace web() {
    return new SampleTrace()
        .pod(WEB, "second", 2_000, 3_000, null, 0)
        .pod(WEB, "first", 1_000, 3_000, null, 0);
  }

  @Test
  void siblingsAreTakenInOrderOfTheirCreation() {
    LifeBook book = new LifeBook(web().recording(9_000), 1, 1);

    assertThat(name(book.lifeOf(pod("x")))).isEqualTo("first");
    assertThat(name(book.lifeOf(pod("y")))).isEqualTo("second");
    assertThat(name(book.lifeOf(pod("x")))).as("the same again").isEqualTo("first");
    assertThat(book.counts()).containsOnlyKeys(Match.SIBLING);
  }

  @Test
  void aPodBeyondTheRecordedOnesGetsOneOfItsTemplate() {
    LifeBook book = new LifeBook(web().recording(9_000), 1, 1);
    book.lifeOf(pod("x"));
    book.lifeOf(pod("y"));

    assertThat(name(book.lifeOf(pod("z")))).isIn("first", "second");
    assertThat(book.counts()).containsEntry(Match.TEMPLATE, 1);
  }

  @Test
  void aPodOfAnUnknownTemplateGetsOneOfItsWorkload() {
    LifeBook book = new LifeBook(web().recording(9_000), 1, 1);

    assertThat(name(book.lifeOf(pod("x", ReplayLabels.TEMPLATE, "0/7")))).isIn("first", "second");
    assertThat(book.counts()).containsEntry(Match.WORKLOAD, 1);
  }

  @Test
  void everyLifeIsLivedAsOftenAsTheScaleSays() {
    LifeBook book = new LifeBook(web().recording(9_000), 2, 1);

    assertThat(List.of("a", "b", "c", "d").stream().map(pod -> name(book.lifeOf(pod(pod)))))
        .containsExactly("first", "first", "second", "second");
  }

  @Test
  void podsOfAStatefulSetHaveTheLifeOfTheirOrdinal() {
    SampleTrace trace = new SampleTrace();
    for (int index = 0; index < 2; index++) {
      PodLife life =
          trace.life(DB, "db-" + index, new PodTimes(index, 10L, 20L, 20L, null, null, null));
      PodIdentity id = life.identity();
      trace.life(
          new PodLife(
              new PodIdentity(id.id(), id.namespace(), id.name(), id.owner(), 0, index),
              life.node(),
              life.times(),
              life.outcome(),
              life.containers(),
              life.demand(),
              life.usage()));
    }
    Recording recording = trace.recording(9_000);
    LifeBook book = new LifeBook(recording, 1, 1);

    assertThat(name(book.lifeOf(pod("db-1")))).isEqualTo("db-1");
    assertThat(name(book.lifeOf(pod("db-0")))).isEqualTo("db-0");
  }

  @Test
  void aPodThatIsMadeByItselfHasItsOwnLife() {
    LifeBook book = new LifeBook(web().recording(9_000), 1, 1);

    assertThat(name(book.lifeOf(pod("x", ReplayLabels.LIFE, "1")))).isEqualTo("second");
  }

  @Test
  void aForeignPodHasNone() {
    LifeBook book = new LifeBook(web().recording(9_000), 1, 1);

    assertThat(book.lifeOf(pod("x", "other", "1"))).isNull();
    assertThat(book.counts()).containsEntry(Match.NONE, 1);
  }
}
