/**
 * Values of templates and what Go's fmt and strconv packages make of them.
 *
 * <table>
 * <caption>Go's types in Java</caption>
 * <tr><td>nil</td><td>{@code null}</td></tr>
 * <tr><td>bool</td><td>{@link java.lang.Boolean}</td></tr>
 * <tr><td>int</td><td>{@link java.lang.Long}</td></tr>
 * <tr><td>other integers</td><td>{@link dev.vertlet.stages.template.value.GoInteger}</td></tr>
 * <tr><td>float64</td><td>{@link java.lang.Double}</td></tr>
 * <tr><td>json.Number</td><td>{@link dev.vertlet.stages.template.value.JsonNumber}</td></tr>
 * <tr><td>string</td><td>{@link java.lang.String}</td></tr>
 * <tr><td>[]interface {}</td><td>{@link java.util.List}</td></tr>
 * <tr><td>other slices</td><td>{@link dev.vertlet.stages.template.value.TypedList}</td></tr>
 * <tr><td>map[string]interface {}</td><td>{@link java.util.Map}</td></tr>
 * <tr><td>map[string]string</td><td>{@link dev.vertlet.stages.template.value.TypedMap}</td></tr>
 * <tr><td>structs</td><td>{@link dev.vertlet.stages.template.value.ObjectValue}</td></tr>
 * </table>
 *
 * <p>Go's strings are bytes, Java's are UTF-16: lengths and indexes are counted in UTF-8 bytes, and
 * a slice that cuts a character in two has U+FFFD in its place.
 */
@NullMarked
package dev.vertlet.stages.template.value;

import org.jspecify.annotations.NullMarked;
