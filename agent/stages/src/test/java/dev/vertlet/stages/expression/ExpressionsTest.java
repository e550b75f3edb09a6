package dev.vertlet.stages.expression;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.StageFiles;
import dev.vertlet.stages.spec.StageProblem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static final String POD =
      """
      {"metadata": {"name": "p", "creationTimestamp": "2025-12-31T23:59:00Z", "annotations":
          {"example.com/delay": "3s", "at": "2026-01-01T00:00:07Z", "w": "0x10", "none": ""},
          "ownerReferences": [{"kind": "Job"}]},
       "spec": {"replicas": 3, "on": true,
          "containers": [{"resources": {"requests": {"cpu": "250m", "memory": "1Gi"}}}]},
       "status": {"phase": "Running", "conditions":
          [{"type": "Ready", "status": "True"}, {"type": "Other", "status": "False"}]}}
      """;

  private final List<StageProblem> problems = new ArrayList<>();
  private final Expressions expressions =
      new Expressions(Clock.fixed(NOW, ZoneOffset.UTC), new SplittableRandom(1), problems);

  private static JsonNode pod() {
    try {
      return JSON.readTree(POD);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stage stage(String spec) {
    return StageFiles.object(
        "s",
        ("{apiVersion: kwok.x-k8s.io/v1alpha1, kind: Stage, metadata: {name: s}, spec: {"
                + "resourceRef: {kind: Pod}, "
                + spec
                + "}}")
            .getBytes(UTF_8));
  }

  private boolean matches(String expression) {
    return expressions
        .matcher(stage("selector: {matchExpressions: [" + expression + "]}"))
        .matches(pod());
  }

  @ParameterizedTest
  @CsvSource({
    ".status.phase, In, Running, true",
    ".status.phase, NotIn, Running, false",
    ".status.missing.deeper, In, x, false",
    ".status.missing.deeper, NotIn, x, true",
    ".metadata.ownerReferences.[].kind, In, Job, true",
    ".metadata.ownerReferences[].kind, In, CronJob, false",
    ".spec.missing.[].kind, NotIn, Job, true",
    ".metadata.annotations[\"example.com/delay\"], In, 3s, true",
    ".spec.on, In, true, true",
    ".spec.replicas, In, 3, true",
    ".status.phase[0], NotIn, x, true",
  })
  void comparesResultsOfJq(String query, String operator, String value, boolean expected) {
    assertThat(
            matches("{key: '%s', operator: %s, values: ['%s']}".formatted(query, operator, value)))
        .isEqualTo(expected);
  }

  @Test
  void selectsElementsByAField() {
    String ready = ".status.conditions.[] | select( .type == \"Ready\" ) | .status";
    assertThat(matches("{key: '" + ready + "', operator: In, values: ['True']}")).isTrue();
    assertThat(matches("{key: '" + ready + "', operator: NotIn, values: ['True']}")).isFalse();
    assertThat(matches("{key: '.status.conditions | length', operator: In, values: ['2']}"))
        .isTrue();
  }

  @Test
  void theShortcutAndTheLibraryAgree() throws ExpressionException {
    for (String query :
        List.of(
            ".status.phase",
            ".metadata.ownerReferences.[].kind",
            ".status.conditions[] | select(.type == \"Other\") | .status",
            ".missing.[].a",
            ".status.phase.deeper",
            ".status.missing.deeper",
            ".metadata.annotations[\"w\"]")) {
      JsonPath path = Objects.requireNonNull(JsonPath.of(query), query);
      // a filter that changes nothing keeps the shortcut from being used
      assertThat(JqQuery.compile(query + " | ." + " | (.)").apply(pod()))
          .as(query)
          .isEqualTo(path.apply(pod()));
    }
  }

  @Test
  void celTestsTheObject() {
    assertThat(matches("{cel: {expression: \"self.status.phase == 'Running'\"}}")).isTrue();
    assertThat(matches("{cel: {expression: '!has(self.metadata.deletionTimestamp)'}}")).isTrue();
    assertThat(matches("{cel: {expression: \"self.status.missing == 'x'\"}}"))
        .as("an absent field does not match")
        .isFalse();
    assertThat(
            matches("{cel: {expression: 'SinceSecond(self) > 59.0 && self.SinceSecond() < 61.0'}}"))
        .isTrue();
    assertThat(
            matches(
                "{cel: {expression: \"Now() - self.metadata.creationTimestamp == duration('60s')\"}}"))
        .isTrue();
    assertThat(
            matches(
                "{cel: {expression: \"self.spec.containers[0].resources.requests['cpu'] =="
                    + " Quantity('250m')\"}}"))
        .isTrue();
    assertThat(matches("{cel: {expression: 'self.spec.replicas > 2.5'}}")).isTrue();
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "durationMilliseconds: 1000, 1000, 1000",
    "'durationMilliseconds: 1000, jitterDurationMilliseconds: 5000', 1000, 5000",
    "'durationMilliseconds: 1000, jitterDurationMilliseconds: 400', 400, 400",
    "'durationFrom: {expressionFrom: ''.metadata.annotations[\"example.com/delay\"]''}', 3000, 3000",
    "durationFrom: {expressionFrom: .metadata.annotations.at}, 7000, 7000",
    "'durationMilliseconds: 5, durationFrom: {expressionFrom: .metadata.annotations.gone}', 5, 5",
    "'durationMilliseconds: 5, durationFrom: {cel: {expression: self.gone}}', 5, 5",
    "durationFrom: {cel: {expression: duration('2s')}}, 2000, 2000",
    "'jitterDurationFrom: {cel: {expression: ''\"2s\"''}}', 0, 2000",
  })
  void resolvesDelays(String delay, long min, long max) {
    StageDelay compiled = expressions.delay(stage("delay: {" + delay + "}"));
    assertThat(problems).isEmpty();
    assertThat(compiled.of(pod(), NOW))
        .contains(new StageDelay.Range(Duration.ofMillis(min), Duration.ofMillis(max)));
  }

  @Test
  void anEmptyTextIsNoDelay() {
    String none =
        "delay: {durationMilliseconds: 9, durationFrom: {jq: {expression: .metadata.annotations.none}}}";
    assertThat(expressions.delay(stage(none)).of(pod(), NOW)).isEmpty();
  }

  @Test
  void resolvesWeights() {
    assertThat(weight("weight: 3")).hasValue(3);
    assertThat(weight("weight: 3, weightFrom: {expressionFrom: .metadata.annotations.w}"))
        .hasValue(16);
    assertThat(weight("weight: 3, weightFrom: {expressionFrom: .metadata.annotations.gone}"))
        .hasValue(3);
    assertThat(weight("weight: 3, weightFrom: {expressionFrom: .status.phase}")).isEmpty();
    assertThat(weight("weightFrom: {cel: {expression: 'self.spec.replicas * 2'}}")).hasValue(6);
  }

  private java.util.OptionalLong weight(String spec) {
    return expressions.weight(stage(spec)).of(pod());
  }

  @ParameterizedTest
  @Tag("G06")
  @CsvSource(
      delimiter = '~',
      value = {
        "{key: '.a | nofunc(1)', operator: Exists} ~ jq: unknown function nofunc",
        "{key: '.a |', operator: Exists} ~ jq: the query does not parse",
        "{cel: {expression: 'self.a ==='}} ~ CEL:",
        "{cel: {expression: 'other.a'}} ~ undeclared reference to 'other'",
        "{cel: {expression: 'size(self)'}} ~ CEL: the expression must yield bool, not int",
      })
  void aBadExpressionIsNamed(String row, String message) {
    expressions.matcher(stage("selector: {matchExpressions: [" + row + "]}"));
    assertThat(problems).singleElement().asString().contains(message);
  }
}
