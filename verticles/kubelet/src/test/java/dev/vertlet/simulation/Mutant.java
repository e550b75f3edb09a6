package dev.vertlet.simulation;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.pod.PodProvider;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * An agent with one mistake, made at a border of the production classes. The simulation has to find
 * each of them.
 */
enum Mutant {
  NONE,

  /** What the API server holds no longer is not ended. */
  DROPPED_KILL(Invariant.DELETED_POD_IS_STOPPED) {
    @Override
    PodProvider provider(PodProvider provider) {
      return replacing(PodProvider.class, provider, Map.of("kill", Future.<Void>succeededFuture()));
    }
  },

  /** That a pod has ended is overlooked. */
  RESURRECTED_PHASE(Invariant.TERMINAL_PHASE_IS_STICKY) {
    @Override
    PodView seen(PodView pod) {
      return pod.status().phase().terminal() ? pod.withStatus(PodStatusView.EMPTY) : pod;
    }
  },

  /** After a restart the agent takes nothing over. */
  FORGOTTEN_CONTAINERS(Invariant.NO_DOUBLE_START) {
    @Override
    ContainerRuntime runtime(ContainerRuntime runtime) {
      return replacing(
          ContainerRuntime.class,
          runtime,
          Map.of(
              "restore",
              Future.succeededFuture(Optional.empty()),
              "list",
              Future.succeededFuture(List.of())));
    }
  },

  /** Only deletions that an event tells count. */
  LOST_RELIST_DELETION(Invariant.NO_DELETION_IS_LOST) {
    @Override
    ReflectorListener<PodView> listener(
        ReflectorListener<PodView> listener, BooleanSupplier listing) {
      return new ReflectorListener<>() {
        @Override
        public void upserted(PodView object) {
          listener.upserted(object);
        }

        @Override
        public void deleted(Tombstone object) {
          if (!listing.getAsBoolean()) {
            listener.deleted(object);
          }
        }

        @Override
        public void synced() {
          listener.synced();
        }
      };
    }
  },

  /** Each write is followed by the one before it, as a retry in the wrong place would. */
  OVERTAKEN_STATUS(Invariant.NEWEST_STATUS_WINS) {
    @Override
    RequestScope requests(RequestScope requests) {
      Map<String, KubeRequest> before = new HashMap<>();
      return new RequestScope() {
        @Override
        public Future<KubeResponse> send(KubeRequest request) {
          if (request.verb() != Verb.PATCH) {
            return requests.send(request);
          }
          KubeRequest older = before.put(request.path().path(), request);
          Future<KubeResponse> answer = requests.send(request);
          return older == null
              ? answer
              : answer.compose(
                  first -> requests.send(older).transform(second -> Future.succeededFuture(first)));
        }

        @Override
        public void close() {
          requests.close();
        }
      };
    }
  },

  /** A write does not wait for the answer to the one before it. */
  IMPATIENT_WRITER(Invariant.ONE_WRITE_IN_FLIGHT) {
    @Override
    RequestScope requests(RequestScope requests) {
      return new RequestScope() {
        @Override
        public Future<KubeResponse> send(KubeRequest request) {
          Future<KubeResponse> answer = requests.send(request);
          return request.verb() == Verb.PATCH ? requests.send(request) : answer;
        }

        @Override
        public void close() {
          requests.close();
        }
      };
    }
  },

  /** Restarts are counted in one bit. */
  SHORT_COUNTER(Invariant.RESTART_COUNT_IS_MONOTONIC) {
    @Override
    PodReport report(PodReport report) {
      PodStatusView status = PodShapes.withRestarts(report.status(), count -> count % 2);
      return new PodReport(report.pod(), report.node(), status, report.finished());
    }
  },

  /** The provider lets go of no pod. */
  HOARDING_PROVIDER(Invariant.NOTHING_LEAKS) {
    @Override
    PodProvider provider(PodProvider provider) {
      Map<String, PodReport> known = new HashMap<>();
      Supplier<Future<List<PodReport>>> all =
          () ->
              provider
                  .list()
                  .map(
                      reports -> {
                        reports.forEach(report -> known.put(report.pod().uid(), report));
                        return List.copyOf(known.values());
                      });
      return replacing(PodProvider.class, provider, Map.of("list", all));
    }
  },

  /** That a pod is to end is overlooked. */
  OVERLOOKED_DELETION(Invariant.EVERY_DELETION_ENDS) {
    @Override
    PodView seen(PodView pod) {
      return PodShapes.undeleted(pod);
    }
  };

  private final List<Invariant> breaks;

  Mutant(Invariant... breaks) {
    this.breaks = List.of(breaks);
  }

  /** What the simulation must say of it; empty for the agent as it is. */
  List<Invariant> breaks() {
    return breaks;
  }

  PodProvider provider(PodProvider provider) {
    return provider;
  }

  ContainerRuntime runtime(ContainerRuntime runtime) {
    return runtime;
  }

  PodView seen(PodView pod) {
    return pod;
  }

  PodReport report(PodReport report) {
    return report;
  }

  /**
   * @param listing whether what is heard comes of a list
   */
  ReflectorListener<PodView> listener(
      ReflectorListener<PodView> listener, BooleanSupplier listing) {
    return listener;
  }

  RequestScope requests(RequestScope requests) {
    return requests;
  }

  /** The same object with some methods, by name, that only answer, or ask the supplier. */
  private static <T> T replacing(Class<T> type, T original, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object answer = answers.get(method.getName());
              try {
                if (answer instanceof Supplier<?> asked) {
                  return asked.get();
                }
                return answer != null ? answer : method.invoke(original, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
