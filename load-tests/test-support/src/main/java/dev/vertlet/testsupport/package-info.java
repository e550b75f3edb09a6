/**
 * Support for the tests of all modules: waits with one limit, the ring of a test, the acceptance
 * rows that a test holds, and Netty's leak detector. Knows nothing of vertlet itself.
 */
@NullMarked
package dev.vertlet.testsupport;

import org.jspecify.annotations.NullMarked;
