package dev.vertlet.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import org.junit.jupiter.api.Test;

class TypeStoreTest {
  private static final int WINDOW = 3;

  private final TypeStore store = new TypeStore(WINDOW, 0);

  private void create(long revision) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putObject("metadata").put("namespace", "n").put("name", "p" + revision);
    store.apply(new StoreEvent(revision, null, new StoredObject(json, revision)));
  }

  @Test
  void answersFromTheEdgeOfItsHistoryOnAndRefusesWhatIsOlder() {
    for (long revision = 1; revision <= 5; revision++) {
      create(revision);
    }

    assertThat(store.eventsAfter(2)).extracting(StoreEvent::revision).containsExactly(3L, 4L, 5L);
    assertThat(store.listAt("n", 2)).hasSize(2);
    assertThatThrownBy(() -> store.eventsAfter(1))
        .isInstanceOf(ApiException.class)
        .hasMessage("too old resource version: 1 (2)");
    assertThatThrownBy(() -> store.listAt("n", 1)).isInstanceOf(ApiException.class);
  }
}
