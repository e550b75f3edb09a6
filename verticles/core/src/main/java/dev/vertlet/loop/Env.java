package dev.vertlet.loop;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Time, chance and meters: what a verticle takes from the machine, injected so that tests own it.
 *
 * @param clock the time of day. A steady one for deadlines and ages, the machine's own for times
 *     that others compare with theirs, such as those of a Lease
 * @param nanos monotonic nanoseconds, for durations
 * @param random confined to the event loop of the one verticle it is made for
 * @param meters takes what the verticle counts
 */
public record Env(Clock clock, LongSupplier nanos, RandomGenerator random, MeterRegistry meters) {}
