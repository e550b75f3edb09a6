package dev.vertlet.stages.spec;

/**
 * Place in a file, or in an object of the cluster.
 *
 * @param source path of the file, or for example {@code Stage pod-ready}
 * @param line from 1; 0 for an object of the cluster, which has no lines
 * @param column from 1
 */
public record Location(String source, int line, int column) {
  /** Place of an object that has no lines. */
  public static Location of(String source) {
    return new Location(source, 0, 0);
  }

  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line + ":" + column;
  }
}
