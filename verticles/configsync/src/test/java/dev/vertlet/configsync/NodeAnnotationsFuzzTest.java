package dev.vertlet.configsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever a Node's annotations say of its config: a source, or a refusal that names the field. */
class NodeAnnotationsFuzzTest {
  private static final JsonObject SOURCE =
      new JsonObject(
          """
          {"configMap": {"namespace": "kube-system", "name": "c1", "kubeletConfigKey": "kubelet"}}\
          """);
  private static final JsonObject STATUS =
      new JsonObject(
          """
          {"lastKnownGood": {"configMap": {"namespace": "kube-system", "name": "c1",
           "kubeletConfigKey": "kubelet", "uid": "u", "resourceVersion": "7"}}, "error": "e"}\
          """);

  private static String text(Random random, JsonObject like) {
    JsonFuzz fuzz = new JsonFuzz(random);
    return random.nextInt(10) == 0 ? fuzz.text(like.encode()) : fuzz.mutant(like);
  }

  private static List<String> problems(DeclaredSource source) {
    if (source instanceof DeclaredSource.Undecodable undecodable) {
      return List.of(undecodable.problem());
    }
    return source instanceof DeclaredSource.Invalid invalid ? invalid.problems() : List.of();
  }

  @Test
  void declareASourceOrAreRefusedByName() {
    int seeds = Seeds.count(400, 2_000);
    int refused = 0;
    for (long seed = 0; seed < seeds; seed++) {
      String text = text(Seeds.random(seed), SOURCE);
      try {
        DeclaredSource declared = Sources.annotated(text);
        assertThat(problems(declared))
            .allSatisfy(
                problem ->
                    assertThat(problem)
                        .startsWith(Channel.ANNOTATION.path())
                        .doesNotContainPattern("\\p{Cntrl}|[\u2028\u2029]"));
        refused += problems(declared).isEmpty() ? 0 : 1;
        if (declared instanceof DeclaredSource.Wanted wanted) {
          assertThat(wanted.source().apiPath())
              .matches("/api/v1/namespaces/kube-system/configmaps/[a-z0-9.-]{1,253}");
        }
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, text), e);
      }
    }
    assertThat(refused).isBetween(seeds / 4, seeds - seeds / 10);
  }

  @Test
  void tellOfAConfigToGoBackToOrOfNone() {
    int known = 0;
    for (long seed = 0; seed < Seeds.count(400, 2_000); seed++) {
      String text = text(Seeds.random(seed), STATUS);
      try {
        known += NodeConfigStatus.lastKnownGood(text).isPresent() ? 1 : 0;
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, text), e);
      }
    }
    assertThat(known).isPositive();
  }
}
