package dev.vertlet.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.testing.EnvPods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several users of one source of references. */
class SharedReferencesTest {
  private static final ReferredKey KEY = new ReferredKey(ReferredKind.CONFIG_MAP, "ns", "x");

  private final FakeReferences source = new FakeReferences();
  private final SharedReferences shared = new SharedReferences(source);
  private final List<String> heard = new ArrayList<>();

  private ReferenceSource user(String name) {
    ReferenceSource user = shared.user();
    user.start((key, objects) -> heard.add(name + " " + key.name() + " " + objects.size()));
    return user;
  }

  @Test
  void aKeyIsWatchedOnceAndItsReadingRepeatedForLaterUsers() {
    ReferenceSource a = user("a");
    ReferenceSource b = user("b");
    a.follow(KEY);
    source.tell(KEY, EnvPods.data("x", Map.of()));

    b.follow(KEY);
    source.tell(KEY);

    assertThat(source.calls).containsExactly("+x");
    assertThat(heard).containsExactly("a x 1", "b x 1", "a x 0", "b x 0");
  }

  @Test
  void theLastUserEndsTheWatch() {
    ReferenceSource a = user("a");
    ReferenceSource b = user("b");
    a.follow(KEY);
    b.follow(KEY);

    a.leave(KEY);
    source.tell(KEY);
    b.leave(KEY);
    b.leave(KEY);
    source.tell(KEY);

    assertThat(source.calls).containsExactly("+x", "-x");
    assertThat(heard).containsExactly("b x 0");
  }

  @Test
  void theSourceEndsWithItsLastUser() {
    ReferenceSource a = user("a");
    ReferenceSource b = user("b");

    a.stop();
    a.stop();
    assertThat(source.calls).isEmpty();
    b.stop();

    assertThat(source.calls).containsExactly("stop");
  }
}
