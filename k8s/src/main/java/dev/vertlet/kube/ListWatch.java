package dev.vertlet.kube;

import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ObjectDecoder;
import java.time.Duration;

/**
 * What a {@link Reflector} follows.
 *
 * @param name for logs and metrics, for example {@code pods of node a}
 * @param fieldSelector empty for none
 * @param labelSelector empty for none
 * @param pageSize objects per page of a paged list, 0 for unpaged
 * @param maxEventBytes an event larger than this ends the watch with a clear error and a relist
 * @param watchTimeout how long the server shall keep a watch open; jittered up to double, client-go
 *     uses 5 to 10 min
 */
public record ListWatch<T extends KubeObject>(
    String name,
    KubePath path,
    String fieldSelector,
    String labelSelector,
    ObjectDecoder<T> decoder,
    int pageSize,
    int maxEventBytes,
    Duration watchTimeout) {}
