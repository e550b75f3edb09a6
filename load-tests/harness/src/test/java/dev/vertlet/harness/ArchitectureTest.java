package dev.vertlet.harness;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.core.domain.JavaModifier.VOLATILE;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.vertlet.bus.BusMessage;
import java.io.Serializable;
import java.time.Instant;
import java.util.Set;

/**
 * The borders within modules; those between them are the build's. Each rule says why it is there.
 */
@AnalyzeClasses(packages = "dev.vertlet", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] FEATURES = {
    "dev.vertlet.adopt..",
    "dev.vertlet.lease..",
    "dev.vertlet.replicas..",
    "dev.vertlet.nodes..",
    "dev.vertlet.pods..",
    "dev.vertlet.status..",
    "dev.vertlet.events..",
    "dev.vertlet.references..",
    "dev.vertlet.sources..",
    "dev.vertlet.configsync..",
    "dev.vertlet.sandbox.."
  };

  private static final String[] SHARED = {
    "dev.vertlet.bus..",
    "dev.vertlet.loop..",
    "dev.vertlet.provider..",
    "dev.vertlet.env..",
    "dev.vertlet.content..",
    "dev.vertlet.admission..",
    "dev.vertlet.eviction..",
    "dev.vertlet.manifest..",
    "dev.vertlet.kubelet.."
  };

  private static final String[] ABOVE = {
    "dev.vertlet.agent..",
    "dev.vertlet.cli..",
    "dev.vertlet.runonce..",
    "dev.vertlet.dynamicconfig..",
    "dev.vertlet.backend..",
    "dev.vertlet.nodeconfig..",
    "dev.vertlet.eventloop..",
    "dev.vertlet.logging..",
    "dev.vertlet.auth..",
    "dev.vertlet.api..",
    "dev.vertlet.page..",
    "dev.vertlet.payload..",
    "dev.vertlet.kubeletconfig..",
    "dev.vertlet.config..",
    "dev.vertlet.plugins..",
    "dev.vertlet.tck..",
    "dev.vertlet.server..",
    "dev.vertlet.metrics..",
    "dev.vertlet.sandboxes..",
    "dev.vertlet.simulated..",
    "dev.vertlet.stats..",
    "dev.vertlet.trace..",
    "dev.vertlet.harness.."
  };

  @ArchTest
  static final ArchRule packagesFormNoCycles =
      slices()
          .matching("dev.vertlet.(*)..")
          .should()
          .beFreeOfCycles()
          .because("data flows one way and no two packages need each other");

  @ArchTest
  static final ArchRule smallPackagesFormNoCycles =
      slices()
          .matching("dev.vertlet.(**)")
          .should()
          .beFreeOfCycles()
          .because("a large package is divided into parts whose arrows point one way");

  @ArchTest
  static final ArchRule roomsOfTheKubeletCoreFormNoCycles =
      slices()
          .matching("dev.vertlet.kubelet.(*)..")
          .should()
          .beFreeOfCycles()
          .because("state is below what decides, and that below what drives pods and nodes");

  @ArchTest
  static final ArchRule roomsOfTheKubeletCoreKnowNotWhatIsMadeOfThem =
      noClasses()
          .that()
          .resideInAPackage("dev.vertlet.kubelet.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.vertlet.kubelet")
          .because("the core is put together above its rooms");

  @ArchTest
  static final ArchRule metersAreMadeOfWhatIsTold =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.vertlet.meter..")
          .should()
          .callMethodWhere(
              describe(
                  "it makes a meter",
                  (JavaMethodCall call) ->
                      call.getTargetOwner().getPackageName().equals("io.micrometer.core.instrument")
                          && (call.getName().equals("builder")
                              || call.getTargetOwner().getSimpleName().equals("MeterRegistry")
                                  && Set.of("counter", "gauge", "timer", "summary", "more")
                                      .contains(call.getName()))))
          .because("docs/metrics.md is written from dev.vertlet.meter.Metric");

  @ArchTest
  static final ArchRule packagesOfTheHostFormNoCycles =
      slices()
          .matching("dev.vertlet.host.(*)..")
          .should()
          .beFreeOfCycles()
          .because("runtimes take from it what they need, and not all of it");

  @ArchTest
  static final ArchRule theHostKnowsTheSpiAlone =
      noClasses()
          .that()
          .resideInAPackage("dev.vertlet.host..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.vertlet..")
                  .and(
                      resideOutsideOfPackages(
                          "dev.vertlet.host..", "dev.vertlet.provider..", "dev.vertlet.model..")))
          .because("it is shared by runtimes, and knows none of them");

  @ArchTest
  static final ArchRule theCriRuntimeKnowsTheSpiAndTheHostAlone =
      noClasses()
          .that()
          .resideInAPackage("dev.vertlet.cri..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.vertlet..")
                  .and(
                      resideOutsideOfPackages(
                          "dev.vertlet.cri..",
                          "dev.vertlet.host..",
                          "dev.vertlet.provider..",
                          "dev.vertlet.model..")))
          .because("a provider of the build can be left out, and shows what others can do");

  @ArchTest
  static final ArchRule theProcessRuntimeKnowsTheSpiAndTheHostAlone =
      noClasses()
          .that()
          .resideInAPackage("dev.vertlet.process..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.vertlet..")
                  .and(
                      resideOutsideOfPackages(
                          "dev.vertlet.process..",
                          "dev.vertlet.host..",
                          "dev.vertlet.provider..",
                          "dev.vertlet.model..")))
          .because("a provider of the build can be left out, and shows what others can do");

  @ArchTest
  static final ArchRule theTraceFormatKnowsNothingOfTheAgent =
      noClasses()
          .that()
          .resideInAPackage("dev.vertlet.trace")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.vertlet..").and(resideOutsideOfPackages("dev.vertlet.trace")))
          .because("recorder, tools and replay share it, and none of them owns it");

  @ArchTest
  static final ArchRule packagesOfTracesFormNoCycles =
      slices()
          .matching("dev.vertlet.trace.(*)..")
          .should()
          .beFreeOfCycles()
          .because("tools are above recorder and importer, and those above the format");

  @ArchTest
  static final ArchRule templatesKnowNothingOfTheAgent =
      noClasses()
          .that()
          .resideInAPackage("dev.vertlet.stages.template..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.vertlet..", "io.vertx..")
                  .and(resideOutsideOfPackages("dev.vertlet.stages.template..")))
          .because("templates are text and values, pure and without an event loop");

  @ArchTest
  static final ArchRule featuresMeetOnTheBusOnly =
      slices()
          .matching(
              "dev.vertlet.(adopt|lease|replicas|nodes|pods|status|events|references|sources|configsync|sandbox)..")
          .should()
          .notDependOnEachOther()
          .because("a feature is one package that can be left out; features exchange bus records");

  @ArchTest
  static final ArchRule sharedVocabularyKnowsNoFeature =
      noClasses()
          .that()
          .resideInAnyPackage(SHARED)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(FEATURES)
          .because("bus, provider, env and kubelet are what features are made of");

  @ArchTest
  static final ArchRule whatMayBeMissingIsLoadedOnDemand =
      noClasses()
          .that()
          .resideInAnyPackage(concat(SHARED, ABOVE))
          .and()
          .resideOutsideOfPackages(
              "dev.vertlet.harness..", "dev.vertlet.rollout..", "dev.vertlet.sandboxes..")
          .and()
          .haveNameNotMatching("dev\\.vertlet\\.dynamicconfig\\.(ClusterConfigs|PayloadTarget).*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.vertlet.configsync..", "dev.vertlet.sandbox..", "dev.vertlet.registry..")
          .because("an agent starts without the modules configsync and sandbox");

  @ArchTest
  static final ArchRule onlyKubeTalksToTheApiServer =
      noClasses()
          .that()
          .resideInAnyPackage(concat(FEATURES, SHARED, ABOVE))
          .and()
          .resideOutsideOfPackage("dev.vertlet.harness..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("io\\.vertx\\.core\\.http\\.(HttpClient|WebSocketClient).*")
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8.kubernetes.client.internal..")
          .because("lanes, limits and retry decisions have one home");

  @ArchTest
  static final ArchRule onlyWhatServesStreamsAndTlsKnowsNetty =
      noClasses()
          .that()
          .resideInAnyPackage(concat(FEATURES, SHARED, ABOVE))
          .and()
          .resideOutsideOfPackages("dev.vertlet.harness..", "dev.vertlet.auth..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty..")
          .because("channels, buffers and TLS engines stay below Vert.x");

  @ArchTest
  static final ArchRule stateIsConfinedNotShared =
      noClasses()
          .that()
          .resideInAnyPackage(concat(FEATURES, SHARED))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.util.concurrent.atomic", "java.util.concurrent.locks")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.concurrent\\.(Concurrent|CopyOnWrite|Blocking).*")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class)
          .because("a verticle's fields belong to its context; there is nothing to lock");

  @ArchTest
  static final ArchRule noVolatileInFeatures =
      noFields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(concat(FEATURES, SHARED))
          .should()
          .haveModifier(VOLATILE)
          .because("a verticle's fields belong to its context");

  @ArchTest
  static final ArchRule noSynchronizedAnywhere =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(concat(FEATURES, SHARED))
          .should()
          .notHaveModifier(SYNCHRONIZED)
          .because("a lock on an event loop stops everybody on it");

  @ArchTest
  static final ArchRule timeAndChanceAreInjected =
      noClasses()
          .that()
          .resideInAnyPackage(concat(FEATURES, SHARED))
          .or()
          .resideInAnyPackage("dev.vertlet.model..", "dev.vertlet.simulated..")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Math.class, "random")
          .because("tests and simulations own the clock and the dice");

  @ArchTest
  static final ArchRule messagesAreRecords =
      classes()
          .that()
          .areAssignableTo(BusMessage.class)
          .and()
          .areNotInterfaces()
          .should()
          .beRecords()
          .andShould()
          .notBeAssignableTo(Serializable.class)
          .because("messages are handed over by reference and never serialised");

  @ArchTest
  static final ArchRule nobodyUsesVertxImplementations =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.vertlet.kube.client",
              "dev.vertlet.streaming",
              "dev.vertlet.http",
              "dev.vertlet.apiserver.kubelet",
              "dev.vertlet.apiserver.websocket")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx..impl..")
          .because(
              "they change without notice; these packages need the channel of a connection, or the"
                  + " connection of a POST, where Vert.x lets go of that of a GET alone");

  @ArchTest
  static final ArchRule decisionsKnowNoVertx =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.vertlet.admission..", "dev.vertlet.eviction..", "dev.vertlet.manifest..")
          .should()
          .dependOnClassesThat(
              describe(
                  "are Vert.x beyond its buffers",
                  (JavaClass c) ->
                      c.getPackageName().startsWith("io.vertx")
                          && !c.getPackageName().equals("io.vertx.core.buffer")))
          .because("what decides is pure and tested without an event loop");

  @ArchTest
  static final ArchRule statsAreDocuments =
      noClasses()
          .that()
          .resideInAPackage("dev.vertlet.stats..")
          .should()
          .dependOnClassesThat(
              describe(
                  "are Vert.x beyond its JSON and buffers",
                  (JavaClass c) ->
                      c.getPackageName().startsWith("io.vertx")
                          && !c.getPackageName().equals("io.vertx.core.buffer")
                          && !c.getPackageName().equals("io.vertx.core.json")))
          .because("what was measured is written down by pure functions, and served elsewhere");

  @ArchTest
  static final ArchRule environmentsKnowNoVertx =
      noClasses()
          .that()
          .resideInAnyPackage("dev.vertlet.env..", "dev.vertlet.kubelet.volume..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.vertx..", "dev.vertlet.kube..", "dev.vertlet.bus..")
          .because("what decides is pure; what pods refer to comes through an interface");

  private static String[] concat(String[]... arrays) {
    return java.util.Arrays.stream(arrays).flatMap(java.util.Arrays::stream).toArray(String[]::new);
  }
}
