/** A cluster for tests of controllers: time stands still until the test moves it. */
@NullMarked
package dev.vertlet.apiserver.control;

import org.jspecify.annotations.NullMarked;
