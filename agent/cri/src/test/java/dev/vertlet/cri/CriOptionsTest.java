package dev.vertlet.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.testsupport.SettingsContract;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CriOptionsTest implements SettingsContract {
  @Override
  public String provider() {
    return "cri";
  }

  @Override
  public CriOptions read(String json) {
    return CriOptions.of(ProviderSettings.of(new JsonObject(json)));
  }

  @Test
  void imagesAreAskedForWhereContainersAre() {
    assertThat(read("{\"socket\": \"unix:///run/a.sock\"}"))
        .extracting(CriOptions::socket, CriOptions::imageSocket)
        .containsExactly(Path.of("/run/a.sock"), Path.of("/run/a.sock"));
  }

  @Test
  void aRuntimeClassHasTheHandlerThatIsNamedOrThatOfItsOwnName() {
    CriOptions options =
        read("{\"runtimeHandler\": \"runc\", \"runtimeClasses\": {\"sandboxed\": \"runsc\"}}");

    assertThat(List.of(options.handler(""), options.handler("sandboxed"), options.handler("kata")))
        .containsExactly("runc", "runsc", "kata");
    assertThat(options.runtimeClasses()).isEqualTo(Map.of("sandboxed", "runsc"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"socket\": \"run/a.sock\"}|/socket: run/a.sock must be the absolute path of a Unix"
            + " domain socket",
        "{\"imageSocket\": \"tcp://a:1\"}|/imageSocket: tcp://a:1 must be the absolute path of a"
            + " Unix domain socket",
        "{\"cgroupRoot\": \"vertlet\"}|/cgroupRoot: vertlet must be an absolute path of a cgroup,"
            + " or empty",
        "{\"cgroupRoot\": \"/a/../b\"}|/cgroupRoot: /a/../b must be an absolute path of a cgroup,"
            + " or empty",
        "{\"cgroupDriver\": \"none\"}|/cgroupDriver: none must be cgroupfs, systemd or empty",
        "{\"logsDir\": \"logs\"}|/logsDir: logs must be an absolute path",
        "{\"seccompDefault\": 1}|/seccompDefault: 1 must be true or false",
        "{\"runtimeClasses\": []}|/runtimeClasses: [] must be an object",
        "{\"podPidsLimit\": 0}|/podPidsLimit: 0 must be -1 for no limit, or from 1 to 4194304",
        "{\"containerLogMaxBytes\": 1}|/containerLogMaxBytes: 1 must be a whole number from 4096 to"
            + " 1099511627776"
      })
  void refusesWhatIsNotAllowedByPointer(String json, String message) {
    assertThatThrownBy(() -> read(json)).hasMessage(message);
  }
}
