/**
 * Rules and annotations of simulated pods: durations, exit codes, output, usage, answers to probes
 * and hooks. Pure: chance comes from a hash of seed, pod, container and attempt.
 */
@NullMarked
package dev.vertlet.simulated.rule;

import org.jspecify.annotations.NullMarked;
