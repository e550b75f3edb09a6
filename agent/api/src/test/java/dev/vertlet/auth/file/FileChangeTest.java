package dev.vertlet.auth.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileChangeTest {
  private final FileChange change = new FileChange(contents("cert 1", "key 1"));

  private static List<byte[]> contents(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(US_ASCII)).toList();
  }

  @Test
  void aChangeCountsWhenItIsReadTwice() {
    assertThat(change.read(contents("cert 1", "key 1"))).isFalse();
    assertThat(change.read(contents("cert 2", "key 2"))).isFalse();
    assertThat(change.read(contents("cert 2", "key 2"))).isTrue();
    assertThat(change.read(contents("cert 2", "key 2"))).isFalse();
  }

  @Test
  void whatIsStillBeingWrittenIsWaitedFor() {
    assertThat(change.read(contents("cert 2", "key 1"))).isFalse();
    assertThat(change.read(contents("cert 2", "key 2"))).isFalse();
    assertThat(change.read(contents("cert 2", "key 2"))).isTrue();
  }

  @Test
  void whatWasTakenBackIsNoChange() {
    assertThat(change.read(contents("cert 2", "key 1"))).isFalse();
    assertThat(change.read(contents("cert 1", "key 1"))).isFalse();
    assertThat(change.read(contents("cert 2", "key 1"))).isFalse();
  }

  @Test
  void filesThatCannotBeReadAreToldOfOnce() {
    assertThat(change.failed()).isFalse(); // a swap
    assertThat(change.failed()).isTrue();
    assertThat(change.failed()).isFalse();
    assertThat(change.read(contents("cert 1", "key 1"))).isFalse();
    assertThat(change.failed()).isFalse();
    assertThat(change.failed()).isTrue();
  }

  @Test
  void aFailureBetweenTwoReadingsBeginsAnew() {
    assertThat(change.read(contents("cert 2", "key 2"))).isFalse();
    change.failed();
    assertThat(change.read(contents("cert 2", "key 2"))).isFalse();
    assertThat(change.read(contents("cert 2", "key 2"))).isTrue();
  }
}
