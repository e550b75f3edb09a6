package dev.vertlet.cri.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.CommonMessages.UInt64Value;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.StatsMessages.ContainerStats;
import dev.vertlet.cri.wire.StatsMessages.MemoryUsage;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.testing.TestPods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ContainerResizesTest {
  private static final PodView POD = TestPods.pod("p").view();

  private final List<String> calls = new ArrayList<>();
  private final List<Promise<Void>> updates = new ArrayList<>();
  private Future<List<ContainerStats>> measured = Future.succeededFuture(List.of());

  private final PodCgroups cgroups =
      new PodCgroups() {
        @Override
        public Future<String> prepare(PodView pod) {
          return Future.failedFuture("not a start");
        }

        @Override
        public Future<Void> grow(PodView pod) {
          calls.add("grow " + pod.name());
          return Future.succeededFuture();
        }

        @Override
        public Future<Void> limit(PodView pod) {
          calls.add("limit " + pod.name());
          return Future.succeededFuture();
        }

        @Override
        public Future<Void> remove(String uid) {
          return Future.failedFuture("not an end");
        }
      };

  private final ContainerResizes resizes =
      new ContainerResizes(
          cgroups,
          request -> {
            calls.add("update " + request.containerId() + " " + memory(request.linux()));
            Promise<Void> answer = Promise.promise();
            updates.add(answer);
            return answer.future();
          },
          id -> measured);

  private static long memory(@org.jspecify.annotations.Nullable LinuxContainerResources linux) {
    return linux == null ? -1 : linux.memoryLimitInBytes();
  }

  private static LinuxContainerResources resources(long memory) {
    return new LinuxContainerResources(0, 0, 2, memory, 0, "", "", List.of(), Map.of(), 0);
  }

  private Future<Void> change(String id, long memory) {
    return resizes.change(new ContainerResizes.Change(POD, "main", id, resources(memory)));
  }

  private static ContainerStats using(long bytes) {
    MemoryUsage memory =
        new MemoryUsage(1, new UInt64Value(bytes), null, null, null, null, null, null);
    return new ContainerStats(null, null, memory, null, null, null);
  }

  @Test
  void thePodGrowsBeforeItsContainerAndShrinksAfterIt() {
    Future<Void> change = change("c", 100);

    assertThat(calls).containsExactly("grow p", "update c 100");
    assertThat(change.isComplete()).isFalse();
    updates.get(0).complete();
    assertThat(calls).containsExactly("grow p", "update c 100", "limit p");
    assertThat(change.succeeded()).isTrue();
  }

  @Test
  void aLaterChangeWaitsForAnEarlierOneWhateverBecomesOfIt() {
    Future<Void> first = change("c", 100);
    Future<Void> second = change("c", 200);
    assertThat(updates).hasSize(1);

    updates.get(0).fail(new GrpcException(GrpcStatus.DEADLINE_EXCEEDED, "too late"));

    assertThat(first.failed()).isTrue();
    assertThat(calls).containsExactly("grow p", "update c 100", "grow p", "update c 200");
    updates.get(1).complete();
    assertThat(second.succeeded()).isTrue();
  }

  @Test
  void whatTheRuntimeSaysIsTheReason() {
    Future<Void> change = change("c", 100);
    updates.get(0).fail(new GrpcException(GrpcStatus.UNKNOWN, "write cpu.max: invalid argument"));

    assertThat(change.cause())
        .isInstanceOf(ProviderException.class)
        .hasMessage("write cpu.max: invalid argument");
  }

  @Test
  void aLimitBelowTheUsageIsRefused() {
    measured = Future.succeededFuture(List.of(using(101)));
    assertThat(change("c", 100).cause())
        .hasMessage(
            "cannot decrease memory limits: attempting to set container \"main\" memory limit"
                + " (100) below current usage (101)");
    assertThat(calls).isEmpty();

    change("c", 101);
    assertThat(calls).containsExactly("grow p", "update c 101");
  }

  @Test
  void withoutAMeasurementOrALimitTheKernelDecides() {
    measured = Future.failedFuture("the runtime is busy");
    change("c", 100);
    assertThat(updates).hasSize(1);
    updates.get(0).complete();
    measured = Future.succeededFuture(List.of(using(1000)));

    change("c", 0);

    assertThat(updates).hasSize(2);
  }
}
