package dev.vertlet.harness.acceptance;

/**
 * A test, or a class of tests, as its source shows it.
 *
 * @param type simple name of the outermost class
 * @param name {@code Type.method}, {@code Type.Nested.method}, or a class alone
 * @param method false for what is said of a whole class
 * @param text where ids may be: its name, its Javadoc and what its annotations and its rows say
 */
record TestCase(String type, String name, boolean method, Ring ring, String text) {}
