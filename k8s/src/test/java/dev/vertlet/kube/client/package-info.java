/**
 * Tests of the Kubernetes I/O: pure cores by simulation, the shell against the embedded API server.
 */
@NullMarked
package dev.vertlet.kube.client;

import org.jspecify.annotations.NullMarked;
