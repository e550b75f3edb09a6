package dev.vertlet.host.proc;

/**
 * Fields of {@code /proc/PID/stat}.
 *
 * @param state for example {@code R}, or {@code Z} for a process that has ended
 * @param ticks CPU time in clock ticks, of the process itself
 * @param childTicks CPU time of its ended children that it has waited for
 * @param startTicks start in clock ticks since boot
 * @param residentPages memory in pages
 */
public record ProcessStat(
    long pid,
    long parent,
    char state,
    long ticks,
    long childTicks,
    long startTicks,
    long residentPages) {
  /** Linux has 100 clock ticks a second in {@code /proc} on all of its architectures. */
  public static final long NANOS_OF_TICK = 10_000_000;

  /** Parses a line; the command in it may hold spaces and parentheses. */
  public static ProcessStat parse(String line) {
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return new ProcessStat(
        Long.parseLong(line.substring(0, line.indexOf(' '))),
        Long.parseLong(fields[1]),
        fields[0].charAt(0),
        Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
        Long.parseLong(fields[13]) + Long.parseLong(fields[14]),
        Long.parseLong(fields[19]),
        Long.parseLong(fields[21].strip()));
  }
}
