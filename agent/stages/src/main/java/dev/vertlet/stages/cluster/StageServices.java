package dev.vertlet.stages.cluster;

import dev.vertlet.kube.client.ApiCatalog;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.stages.play.DelayJournal;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** What the players of all kinds share. */
record StageServices(
    Vertx vertx,
    Context context,
    KubeClient kube,
    ApiCatalog catalog,
    KubeSender sender,
    DelayJournal journal,
    Clock clock,
    RandomGenerator random,
    long seed) {}
