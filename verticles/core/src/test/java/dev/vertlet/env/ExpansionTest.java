package dev.vertlet.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expansion table of virtual-kubelet §1.11; a kubelet's has the same rows. */
class ExpansionTest {
  private static final Map<String, String> VARIABLES =
      Map.of("VAR_A", "A", "VAR_B", "B", "VAR_C", "C", "VAR_REF", "$(VAR_A)", "VAR_EMPTY", "");

  @ParameterizedTest(name = "1.11 {0}: {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "E01 whole|$(VAR_A)|A",
        "E02 twice|$(VAR_A)-$(VAR_A)|A-A",
        "E03 at the start|$(VAR_A)-1|A-1",
        "E04 within|___$(VAR_B)___|___B___",
        "E05 at the end|___$(VAR_C)|___C",
        "E06 three|$(VAR_A)_$(VAR_B)_$(VAR_C)|A_B_C",
        "E07 escaped beside expanded|$$(VAR_B)_$(VAR_A)|$(VAR_B)_A",
        "E08 two escaped|$$(VAR_A)_$$(VAR_B)|$(VAR_A)_$(VAR_B)",
        "E09 escaped without parentheses|f000-$$VAR_A|f000-$VAR_A",
        "E10 a backslash escapes nothing|foo\\$(VAR_C)bar|foo\\Cbar",
        "E11 nor do two|foo\\\\$(VAR_C)bar|foo\\\\Cbar",
        "E12 nor do four|foo\\\\\\\\$(VAR_A)bar|foo\\\\\\\\Abar",
        "E13 nested|$(VAR_A$(VAR_B))|$(VAR_A$(VAR_B))",
        "E14 nested and open|$(VAR_A$(VAR_B)|$(VAR_A$(VAR_B)",
        "E15 a value is not expanded|$(VAR_REF)|$(VAR_A)",
        "E16 nor are two|%%$(VAR_REF)--$(VAR_REF)%%|%%$(VAR_A)--$(VAR_A)%%",
        "E17 empty value|foo$(VAR_EMPTY)bar|foobar",
        "E18 open|foo$(VAR_Awhoops!|foo$(VAR_Awhoops!",
        "E19 no dollar|f00__(VAR_A)__|f00__(VAR_A)__",
        "E20 a shell's own|$?_boo_$!|$?_boo_$!",
        "E21 no parentheses|$VAR_A|$VAR_A",
        "E22 unknown|$(VAR_DNE)|$(VAR_DNE)",
        "E23 even, unknown|$$$$$$(BIG_MONEY)|$$$(BIG_MONEY)",
        "E24 even, known|$$$$$$(VAR_A)|$$$(VAR_A)",
        "E25 odd, unknown|$$$$$$$(GOOD_ODDS)|$$$$(GOOD_ODDS)",
        "E26 odd, known|$$$$$$$(VAR_A)|$$$A",
        "E27 no opening|$VAR_A)|$VAR_A)",
        "E28 braces|${VAR_A}|${VAR_A}",
        "E29 ends open|$(VAR_B)_______$(A|B_______$(A",
        "E30 ends with an opening|$(VAR_C)_______$(|C_______$(",
        "E31 ends with a dollar|$(VAR_A)foobarzab$|Afoobarzab$",
        "E32 backslash and open|foo-\\$(VAR_A|foo-\\$(VAR_A",
        "E33 many openings within|--$($($($($--|--$($($($($--",
        "E34 many openings at the start|$($($($($--foo$(|$($($($($--foo$(",
        "E35 many openings at the end|foo0--$($($($(|foo0--$($($($(",
        "E36 a dollar in a name|$(foo$$var)|$(foo$$var)",
        "E38 beyond ASCII|$£FOO|$£FOO",
        "E39 beyond ASCII within|prefix-$€-suffix|prefix-$€-suffix",
        "E40 Chinese|$中文|$中文",
        "E41 beyond the basic plane|$😀$(VAR_A)|$😀A"
      })
  void expands(String row, String input, String expected) {
    assertThat(Expansion.expand(input, VARIABLES::get)).as(row).isEqualTo(expected);
  }

  /** 1.11 E37: a line break is no special character. */
  @Test
  void lineBreaksStay() {
    assertThat(Expansion.expand("\n$(VAR_A)\n", VARIABLES::get)).isEqualTo("\nA\n");
  }

  /** 1.11: what was declared before can be used, with what it was made of put in. */
  @Test
  void oneVariableBuildsOnAnother() {
    Map<String, String> known = new LinkedHashMap<>(Map.of("FOO", "bar"));
    known.put("ZOO", Expansion.expand("$(FOO)-1", known::get));
    known.put("BLU", Expansion.expand("$(ZOO)-2", known::get));

    assertThat(known).containsEntry("BLU", "bar-1-2");
  }
}
