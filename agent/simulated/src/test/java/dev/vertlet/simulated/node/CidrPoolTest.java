package dev.vertlet.simulated.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.simulated.Pods;
import dev.vertlet.simulated.SimulatedNode;
import dev.vertlet.simulated.SimulatedPod;
import dev.vertlet.simulated.rule.ListeningPorts;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrPoolTest {
  @Test
  void leavesOutNetworkGatewayAndBroadcast() {
    CidrPool pool = pool("10.1.2.8/29");

    assertThat(take(pool, 5))
        .containsExactly("10.1.2.10", "10.1.2.11", "10.1.2.12", "10.1.2.13", "10.1.2.14");
    assertThat(pool.take()).isEmpty();
  }

  @Test
  void aFreedAddressComesLast() {
    CidrPool pool = pool("10.0.0.0/29");
    take(pool, 2);
    pool.free("10.0.0.2");

    assertThat(take(pool, 4)).containsExactly("10.0.0.4", "10.0.0.5", "10.0.0.6", "10.0.0.2");
  }

  @Test
  void neverHandsOutWhatIsReserved() {
    CidrPool pool = pool("10.0.0.0/29");
    for (String held : List.of("10.0.0.3", "192.0.2.77", "10.0.0.1", "no address at all")) {
      assertThat(pool.reserve(held, 0)).isTrue();
    }

    assertThat(take(pool, 4)).containsExactly("10.0.0.4", "10.0.0.5", "10.0.0.6", "10.0.0.2");
    assertThat(pool.take()).isEmpty();
    pool.free("192.0.2.77");
    pool.free("10.0.0.1");
    assertThat(pool.take()).isEmpty();
  }

  @Test
  void anAddressHeldTwiceIsFreeWhenBothAreGone() {
    CidrPool pool = pool("10.0.0.0/30");
    assertThat(pool.reserve("10.0.0.2", 0)).isTrue();
    assertThat(pool.reserve("10.0.0.2", 0)).isFalse();

    pool.free("10.0.0.2");
    assertThat(pool.take()).isEmpty();
    pool.free("10.0.0.2");
    assertThat(pool.take()).contains("10.0.0.2");
  }

  @Test
  void freeingTwiceOrTheUnknownChangesNothing() {
    CidrPool pool = pool("10.0.0.0/29");
    take(pool, 5);
    pool.free("10.0.0.4");
    pool.free("10.0.0.4");
    pool.free("10.9.9.9");

    assertThat(pool.inUse()).isEqualTo(4);
    assertThat(pool.take()).contains("10.0.0.4");
    assertThat(pool.take()).isEmpty();
  }

  @Test
  void usesAllOfASixteen() {
    CidrPool pool = pool("10.200.0.0/16");
    Set<String> all = new HashSet<>(take(pool, 65_533));

    assertThat(all).hasSize(65_533).contains("10.200.0.2", "10.200.1.0", "10.200.255.254");
    assertThat(pool.take()).isEmpty();
    pool.free("10.200.77.7");
    assertThat(pool.take()).contains("10.200.77.7");
  }

  @Test
  void usesTheBeginningOfAHugeRange() {
    CidrPool pool = pool("fd00:10::/64");

    assertThat(take(pool, 2)).containsExactly("fd00:10::2", "fd00:10::3");
    assertThat(pool.capacity()).isEqualTo(CidrPool.WINDOW - 2);
    for (String held : List.of("fd00:10::4", "fd00:10::ffff:ffff:ffff:5", "fd00:10:0:1::5")) {
      assertThat(pool.reserve(held, 0)).isTrue();
      assertThat(pool.reserve(held, 0)).isFalse();
    }
    assertThat(take(pool, 1)).containsExactly("fd00:10::5");
  }

  @Test
  void dualStackTakesOneOfEachOrNone() {
    NodeAddresses addresses = new NodeAddresses("10.0.0.0/29, fd00::/126", "", "n");

    assertThat(addresses.take()).contains(List.of("10.0.0.2", "fd00::2"));
    assertThat(addresses.take()).isEmpty();
    assertThat(addresses.usage())
        .isEqualTo("1 of 5 in use in 10.0.0.0/29, 1 of 1 in use in fd00::/126");
    addresses.free(List.of("10.0.0.2", "fd00::2"));
    assertThat(addresses.take()).map(ips -> ips.get(1)).contains("fd00::2");
  }

  @Test
  void aChangedRangeLeavesPodsTheirAddresses() {
    String[] range = {"10.0.0.0/24"};
    SimulatedNode node = new SimulatedNode("n", name -> range[0], name -> "");
    List<String> first = node.takeIps().orElseThrow();
    SimulatedPod pod =
        new SimulatedPod(
            Pods.pod("a").view().ref(), node, new SandboxRecord("s", 0, first), ListeningPorts.ANY);
    node.add(pod);

    range[0] = "10.0.0.0/30";
    assertThat(node.takeIps()).isEmpty();
    node.remove(pod);
    assertThat(node.takeIps()).contains(List.of("10.0.0.2"));
  }

  @Test
  void goesOnBehindWhatWasHandedOutLastBeforeARestart() {
    CidrPool pool = pool("10.0.0.0/28");
    pool.reserve("10.0.0.12", 1000);
    pool.held("10.0.0.3", 3000);
    pool.held("10.0.0.4", 3000);
    pool.reserve("10.0.0.2", 2000);

    assertThat(take(pool, 3)).containsExactly("10.0.0.5", "10.0.0.6", "10.0.0.7");
    pool.held("10.0.0.9", 9000);
    assertThat(take(pool, 1)).as("its own order counts by now").containsExactly("10.0.0.8");
  }

  @Test
  void nodesThatShareARangeBeginFarFromEachOther() {
    NodeAddresses a = new NodeAddresses("", "10.0.0.0/18", "machine-1");
    NodeAddresses b = new NodeAddresses("", "10.0.0.0/18", "machine-2");
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      taken.addAll(a.take().orElseThrow());
      taken.addAll(b.take().orElseThrow());
    }
    assertThat(taken).hasSize(200);
  }

  @Test
  void theNodesOwnRangeIsUsedUpBeforeTheSharedOne() {
    NodeAddresses addresses = new NodeAddresses("10.1.0.0/30", "10.0.0.0/29", "n");

    assertThat(addresses.take()).contains(List.of("10.1.0.2"));
    Set<String> others = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      others.addAll(addresses.take().orElseThrow());
    }
    assertThat(others).hasSize(5).allMatch(ip -> ip.startsWith("10.0.0."));
    assertThat(addresses.take()).isEmpty();
    assertThat(addresses.usage())
        .isEqualTo("1 of 1 in use in 10.1.0.0/30, 5 of 5 in use in 10.0.0.0/29");
    addresses.free(List.of("10.1.0.2"));
    assertThat(addresses.take()).contains(List.of("10.1.0.2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.0.0/32", "10.1.0.1/24", "pods"})
  void aRangeOfTheNodeThatCannotBeUsedIsLeftAlone(String own) {
    assertThat(new NodeAddresses(own, "10.0.0.0/30", "n").take()).contains(List.of("10.0.0.2"));
    assertThatThrownBy(() -> new NodeAddresses(own, "", "n"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "::,::",
    "::1,::1",
    "fd00:0:0:0:1:0:0:1,fd00::1:0:0:1",
    "2001:db8:0:1:0:0:0:1,2001:db8:0:1::1",
    "1:0:1:0:1:0:1:0,1:0:1:0:1:0:1:0",
    "fe80:0:0:0:0:0:0:0,fe80::",
    "FD00::ABCD,fd00::abcd",
    "192.0.2.255,192.0.2.255"
  })
  void writesAddressesAsOthersDo(String text, String canonical) {
    assertThat(IpAddress.parse(text).text()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1.2.3",
        "256.1.1.1",
        "1.2.3.04",
        "example.com",
        "::g",
        "1::2::3",
        "fe80::1%lo"
      })
  void refusesWhatIsNoAddress(String text) {
    assertThatThrownBy(() -> IpAddress.parse(text))
        .hasMessage("\"" + text + "\" is no IPv4 or IPv6 address");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.0       | \"10.0.0.0\" is no CIDR: want for example 10.200.0.0/16 or fd00:10::/64",
        "10.0.0.0/31    | prefix of \"10.0.0.0/31\" must be from 0 to 30: pods need addresses too",
        "fd00::/127     | prefix of \"fd00::/127\" must be from 0 to 126: pods need addresses too",
        "10.0.0.0/x     | \"10.0.0.0/x\" is no CIDR: want for example 10.200.0.0/16 or"
            + " fd00:10::/64",
        "10.0.5.0/16    | \"10.0.5.0/16\" has bits behind its prefix: want 10.0.0.0/16",
        "fd00:1::1/32   | \"fd00:1::1/32\" has bits behind its prefix: want fd00:1::/32",
        "300.0.0.0/8    | \"300.0.0.0\" is no IPv4 or IPv6 address"
      })
  void refusesWhatIsNoRange(String text, String message) {
    assertThatThrownBy(() -> Cidr.parse(text)).hasMessage(message);
  }

  private static CidrPool pool(String range) {
    return new CidrPool(Cidr.parse(range));
  }

  private static List<String> take(CidrPool pool, int count) {
    return Stream.generate(pool::take).limit(count).map(Optional::orElseThrow).toList();
  }
}
