package dev.vertlet.stages.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vertlet.stages.play.StageObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MembersTest {
  private static final List<String> AGENTS = List.of("agent-0", "agent-1", "agent-2");

  private final List<StageObject> objects =
      IntStream.range(0, 3_000)
          .mapToObj(i -> new UUID(i * 0x9e3779b97f4a7c15L, i).toString())
          .map(uid -> new StageObject("shop", uid, uid, 1, JsonNodeFactory.instance.objectNode()))
          .toList();

  private static Members members(String identity, List<String> all) {
    Members members = new Members(identity, true);
    members.set(all);
    return members;
  }

  private Map<StageObject, String> owners(List<String> agents) {
    Map<StageObject, String> owners = new HashMap<>();
    for (String agent : agents) {
      Members members = members(agent, agents);
      for (StageObject object : objects) {
        if (members.isOwn(object)) {
          assertThat(owners.put(object, agent)).as("owner of " + object.uid()).isNull();
        }
      }
    }
    return owners;
  }

  @Test
  void everyObjectHasOneOwnerAndAgentsHaveAboutAsMany() {
    Map<StageObject, String> owners = owners(AGENTS);

    assertThat(owners).hasSize(objects.size());
    for (String agent : AGENTS) {
      assertThat(owners.values()).filteredOn(agent::equals).hasSizeBetween(850, 1_150);
    }
  }

  @Test
  void anAgentThatLeavesChangesTheOwnersOfItsObjectsAlone() {
    Map<StageObject, String> before = owners(AGENTS);
    Map<StageObject, String> after = owners(AGENTS.subList(0, 2));

    assertThat(after).hasSize(objects.size());
    before.forEach(
        (object, owner) -> {
          if (!owner.equals("agent-2")) {
            assertThat(after).containsEntry(object, owner);
          }
        });
  }

  @Test
  void nothingIsOwnBeforeTheMembersAreKnown() {
    assertThat(objects).noneMatch(new Members("agent-0", true)::isOwn);
  }

  @Test
  void anAgentAloneOwnsEverything() {
    Members alone = new Members("agent-0", false);

    assertThat(alone.set(List.of("agent-1"))).isFalse();
    assertThat(objects).allMatch(alone::isOwn);
  }

  @Test
  void theSameMembersInAnotherOrderAreNoChange() {
    Members members = members("agent-0", AGENTS);

    assertThat(members.set(List.of("agent-2", "agent-0", "agent-1"))).isFalse();
    assertThat(members.set(List.of("agent-0"))).isTrue();
  }
}
