package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
  private static LabelSelector read(String json) {
    return LabelSelector.read(JsonTreeDecoder.tree(Buffer.buffer(json.replace('\'', '"'))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | true",
        "{'matchLabels': {'a': '1'}} | true",
        "{'matchLabels': {'a': '2'}} | false",
        "{'matchLabels': {'a': '1', 'b': '1'}} | false",
        "{'matchExpressions': [{'key': 'a', 'operator': 'In', 'values': ['1', '2']}]} | true",
        "{'matchExpressions': [{'key': 'b', 'operator': 'In', 'values': ['1']}]} | false",
        "{'matchExpressions': [{'key': 'a', 'operator': 'NotIn', 'values': ['1']}]} | false",
        "{'matchExpressions': [{'key': 'b', 'operator': 'NotIn', 'values': ['1']}]} | true",
        "{'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]} | true",
        "{'matchExpressions': [{'key': 'b', 'operator': 'Exists'}]} | false",
        "{'matchExpressions': [{'key': 'a', 'operator': 'DoesNotExist'}]} | false",
        "{'matchExpressions': [{'key': 'b', 'operator': 'DoesNotExist'}]} | true",
        "{'matchLabels': {'a': '1'}, 'matchExpressions': [{'key': 'a', 'operator': 'NotIn',"
            + " 'values': ['1']}]} | false",
      })
  void allRequirementsMustHold(String selector, boolean selected) {
    assertThat(read(selector).selects(Map.of("a", "1"))).isEqualTo(selected);
  }

  @Test
  void anUnknownOperatorIsRefused() {
    assertThatThrownBy(() -> read("{'matchExpressions': [{'key': 'a', 'operator': 'Gt'}]}"))
        .isInstanceOf(DecodeException.class)
        .hasMessage("\"Gt\" is not a valid label selector operator");
  }
}
