package dev.vertlet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassDataArchiveTest {
  @Test
  void anArchiveThatTheJvmTookIsNotTold() {
    assertThat(
            ClassDataArchive.unused(
                Map.of(
                        "vertlet.classDataArchive", "/app/agent.jsa",
                        "java.vm.info", "mixed mode, emulated-client, sharing")
                    ::get))
        .isEmpty();
  }

  @Test
  void anArchiveThatTheJvmRefusedIsTold() {
    assertThat(
            ClassDataArchive.unused(
                Map.of("vertlet.classDataArchive", "/app/agent.jsa", "java.vm.info", "mixed mode")
                    ::get))
        .contains("/app/agent.jsa");
    assertThat(ClassDataArchive.unused(Map.of("vertlet.classDataArchive", "/app/agent.jsa")::get))
        .contains("/app/agent.jsa");
  }

  @Test
  void whoNamedNoneHasNoneToMiss() {
    assertThat(ClassDataArchive.unused(Map.of("java.vm.info", "interpreted mode")::get)).isEmpty();
  }
}
