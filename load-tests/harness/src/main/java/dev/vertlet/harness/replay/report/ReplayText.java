package dev.vertlet.harness.replay.report;

import dev.vertlet.harness.result.Figure;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.text.Rows;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report as a table for a terminal. */
public final class ReplayText {
  private static final int NAME_WIDTH = 34;
  private static final int FIGURE_WIDTH = 12;

  private ReplayText() {}

  public static String of(ReplayReport report) {
    List<JsonObject> runs = report.runs();
    Rows rows = new Rows(NAME_WIDTH, FIGURE_WIDTH);
    rows.add(
        report.trace(), cells(runs, run -> run.getString("name"), "× " + ReplayReport.RECORDED));
    String group = "";
    for (Figure figure : ReplayFigures.of(runs)) {
      if (!figure.group().equals(group)) {
        group = figure.group();
        rows.add(group, cells(runs, run -> "", ""));
      }
      rows.add(
          "  " + figure.label() + (figure.unit().isEmpty() ? "" : ", " + figure.unit()),
          values(runs, figure));
    }
    return Stream.concat(Stream.of(rows.toString()), notes(runs))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private interface Cell {
    String of(JsonObject run);
  }

  /** One cell for the recording, two for each replay. */
  private static String[] cells(List<JsonObject> runs, Cell cell, String factor) {
    List<String> cells = new ArrayList<>();
    for (JsonObject run : runs) {
      cells.add(cell.of(run));
      if (run != runs.get(0)) {
        cells.add(factor);
      }
    }
    return cells.toArray(String[]::new);
  }

  private static String[] values(List<JsonObject> runs, Figure figure) {
    List<String> cells = new ArrayList<>();
    OptionalDouble base = RunJson.figure(runs.get(0), figure.path());
    for (JsonObject run : runs) {
      cells.add(ReplayFigures.text(run, figure));
      if (run != runs.get(0)) {
        cells.add(Figure.factor(base, RunJson.figure(run, figure.path())).orElse(""));
      }
    }
    return cells.toArray(String[]::new);
  }

  private static Stream<String> notes(List<JsonObject> runs) {
    return runs.stream()
        .flatMap(
            run ->
                Stream.concat(
                        lines(run, "notes"),
                        lines(run, "never_ran").map(pod -> "never ran: " + pod))
                    .map(line -> run.getString("name") + ": " + line));
  }

  private static Stream<String> lines(JsonObject run, String field) {
    return run.getJsonArray(field, new JsonArray()).stream().map(String::valueOf);
  }
}
