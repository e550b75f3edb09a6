package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.testsupport.SettingsContract;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcessOptionsTest implements SettingsContract {
  @Override
  public String provider() {
    return "process";
  }

  @Override
  public ProcessOptions read(String json) {
    return ProcessOptions.of(ProviderSettings.of(new JsonObject(json)));
  }

  @Test
  void hasADefaultForEverything() {
    assertThat(read("{}"))
        .isEqualTo(
            new ProcessOptions(
                null, List.of(), null, null, false, true, "/vertlet", -1, 10 << 20, 5));
  }

  @Test
  void readsEveryKey() {
    assertThat(
            read(
                """
                {"directory": "/run/p", "images": [{"pattern": "*", "root": "host"}], "user": 7, "group": 8,
                 "allowRoot": true, "mounts": "links", "cgroup": "", "podPidsLimit": 100,
                 "containerLogMaxBytes": 5000, "containerLogMaxFiles": 2}
                """))
        .isEqualTo(
            new ProcessOptions(
                Path.of("/run/p"),
                List.of(new ImageRule("*", null, List.of())),
                7L,
                8L,
                true,
                false,
                "",
                100,
                5000,
                2));
  }

  @Test
  void theFirstRuleThatMatchesAnImageCounts() {
    ProcessOptions options =
        read(
            """
            {"images": [{"pattern": "example.com/tools:*", "root": "/opt/tools"},
                        {"pattern": "*/python*", "root": "host", "command": ["python3"]}]}
            """);

    assertThat(Objects.requireNonNull(options.rule("example.com/tools:1")).root())
        .isEqualTo(Path.of("/opt/tools"));
    assertThat(Objects.requireNonNull(options.rule("docker.io/python:3")).command())
        .containsExactly("python3");
    assertThat(options.rule("busybox")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"directory\": \"run\"}|/directory: run must be an absolute path",
        "{\"images\": {}}|/images: {} must be a list of objects",
        "{\"images\": [{\"pattern\": \"*\"}]}|/images/0/root:  is missing; must be a text",
        "{\"images\": [{\"pattern\": \"*\", \"root\": \"x\"}]}|/images/0/root: x must be \"host\" or"
            + " an absolute path",
        "{\"user\": -1}|/user: -1 must be a whole number from 0 to 4294967294",
        "{\"allowRoot\": 1}|/allowRoot: 1 must be true or false",
        "{\"mounts\": \"all\"}|/mounts: all must be auto or links",
        "{\"cgroup\": \"vertlet\"}|/cgroup: vertlet must be an absolute path below the root of the"
            + " cgroups, or empty for none",
        "{\"cgroup\": \"/a/../b\"}|/cgroup: /a/../b must be an absolute path below the root of the"
            + " cgroups, or empty for none",
        "{\"podPidsLimit\": 0}|/podPidsLimit: 0 must be -1 for no limit, or from 1 to 4194304",
        "{\"containerLogMaxBytes\": 1}|/containerLogMaxBytes: 1 must be a whole number from 4096 to"
            + " 1099511627776",
        "{\"containerLogMaxFiles\": 1}|/containerLogMaxFiles: 1 must be a whole number from 2 to 1000",
        "{\"alowRoot\": true}|/alowRoot:  unknown key; known are allowRoot, cgroup,"
            + " containerLogMaxBytes, containerLogMaxFiles, directory, group, images, mounts,"
            + " podPidsLimit, user"
      })
  void refusesWhatIsNotAllowedByPointer(String json, String message) {
    assertThatThrownBy(() -> read(json)).hasMessage(message);
  }
}
