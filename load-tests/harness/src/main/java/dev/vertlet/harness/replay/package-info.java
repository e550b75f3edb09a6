/**
 * Replays a recording on a cluster: nodes, workloads, scalings and deletions at their times, every
 * pod with the life of its recorded sibling; and reports both beside each other.
 *
 * <p>{@code plan} says what is done and when, {@code cluster} does it and sees what comes of it,
 * {@code life} plays the pods, {@code report} compares. Methods of this package block the command's
 * thread.
 */
@NullMarked
package dev.vertlet.harness.replay;

import org.jspecify.annotations.NullMarked;
