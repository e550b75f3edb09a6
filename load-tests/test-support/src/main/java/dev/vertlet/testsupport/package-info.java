/**
 * Support for the tests of all modules: waits with one time limit, the test rings, the acceptance
 * rows that a test covers, and Netty's leak detector. Independent of vertlet's own code.
 */
@NullMarked
package dev.vertlet.testsupport;

import org.jspecify.annotations.NullMarked;
