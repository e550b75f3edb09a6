package dev.vertlet.simulated.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource({
    "nginx,nginx,true",
    "nginx,nginx:1,false",
    "*,anything,true",
    "*,'',true",
    "'','',true",
    "'',a,false",
    "nginx:*,nginx:1.27,true",
    "nginx:*,library/nginx:1.27,false",
    "*/nginx:*,registry.example/library/nginx:1.27,true",
    "*nginx*,nginx,true",
    "a*b*c,abbc,true",
    "a*b*c,acb,false",
    "*ab,aab,true",
    "a**b,ab,true",
    "n.inx,nginx,false"
  })
  void aStarStandsForAnyText(String pattern, String name, boolean matches) {
    assertThat(new Glob(pattern).matches(name)).isEqualTo(matches);
  }
}
