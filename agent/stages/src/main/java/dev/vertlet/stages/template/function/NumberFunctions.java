package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoFormat;
import dev.vertlet.stages.template.value.GoInteger;
import dev.vertlet.stages.template.value.GoNumbers;
import dev.vertlet.stages.template.value.TypedList;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** sprig's functions of numbers. */
final class NumberFunctions {
  private static final int LARGEST_LIST = 1_000_000;

  /** Digits behind the point of a quotient. */
  private static final int QUOTIENT_DIGITS = 16;

  private NumberFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    all.put("atoi", Function.of("string", NumberFunctions::atoi));
    all.put("int", Function.of("any", a -> Casts.toLong(a.any(0))));
    all.put("int64", Function.of("any", a -> int64(Casts.toLong(a.any(0)))));
    all.put("float64", Function.of("any", a -> Casts.toDouble(a.any(0))));
    all.put("toDecimal", Function.of("any", NumberFunctions::fromOctal));
    all.put("add1", Function.of("any", a -> int64(Casts.toLong(a.any(0)) + 1)));
    all.put("add", Function.of("...any", a -> int64(fold(a, 0, 0, Long::sum))));
    all.put("sub", Function.of("any, any", a -> fold(a, (x, y) -> x - y)));
    all.put("div", Function.of("any, any", a -> fold(a, NumberFunctions::divide)));
    all.put("mod", Function.of("any, any", a -> fold(a, NumberFunctions::remainder)));
    all.put("mul", Function.of("any, ...any", a -> fold(a, (x, y) -> x * y)));
    all.put("max", Function.of("any, ...any", a -> fold(a, Math::max)));
    all.put("biggest", Function.of("any, ...any", a -> fold(a, Math::max)));
    all.put("min", Function.of("any, ...any", a -> fold(a, Math::min)));
    all.put("maxf", Function.of("any, ...any", a -> foldReal(a, Math::max)));
    all.put("minf", Function.of("any, ...any", a -> foldReal(a, Math::min)));
    all.put("add1f", Function.of("any", a -> decimal(a.any(0)).add(BigDecimal.ONE).doubleValue()));
    all.put("addf", Function.of("...any", NumberFunctions::addDecimals));
    all.put("subf", Function.of("any, ...any", a -> foldDecimal(a, BigDecimal::subtract)));
    all.put("mulf", Function.of("any, ...any", a -> foldDecimal(a, BigDecimal::multiply)));
    all.put("divf", Function.of("any, ...any", a -> foldDecimal(a, NumberFunctions::divide)));
    all.put("ceil", Function.of("any", a -> Math.ceil(Casts.toDouble(a.any(0)))));
    all.put("floor", Function.of("any", a -> Math.floor(Casts.toDouble(a.any(0)))));
    all.put("round", Function.of("any, int, ...float64", NumberFunctions::round));
    all.put("until", Function.of("int", a -> until(a.integer(0))));
    all.put(
        "untilStep",
        Function.of("int, int, int", a -> steps(a.integer(0), a.integer(1), a.integer(2))));
    all.put("seq", Function.of("...int", NumberFunctions::sequence));
    all.put("randInt", Function.of("int, int", NumberFunctions::random));
    return all;
  }

  private static GoInteger int64(long value) {
    return GoInteger.int64(value);
  }

  private static Long atoi(Arguments a) {
    Long value = GoNumbers.parseInteger(a.string(0), 10);
    return value == null ? 0L : value;
  }

  private static GoInteger fromOctal(Arguments a) {
    Long value = GoNumbers.parseInteger(GoFormat.print(a.any(0)), 8);
    return int64(value == null ? 0 : value);
  }

  private static GoInteger fold(Arguments a, LongBinaryOperator operator) {
    return int64(fold(a, 1, Casts.toLong(a.any(0)), operator));
  }

  private static long fold(Arguments a, int from, long start, LongBinaryOperator operator) {
    long value = start;
    for (Object argument : a.from(from)) {
      value = operator.applyAsLong(value, Casts.toLong(argument));
    }
    return value;
  }

  private static long divide(long dividend, long divisor) {
    checkDivisor(divisor);
    return dividend / divisor;
  }

  private static long remainder(long dividend, long divisor) {
    checkDivisor(divisor);
    return dividend % divisor;
  }

  private static void checkDivisor(long divisor) {
    if (divisor == 0) {
      throw new FunctionException("runtime error: integer divide by zero");
    }
  }

  private static Double foldReal(Arguments a, BinaryOperator<Double> operator) {
    Double value = Casts.toDouble(a.any(0));
    for (Object argument : a.from(1)) {
      value = operator.apply(value, Casts.toDouble(argument));
    }
    return value;
  }

  private static BigDecimal decimal(@Nullable Object value) {
    double real = Casts.toDouble(value);
    if (Double.isNaN(real) || Double.isInfinite(real)) {
      throw new FunctionException(
          "Cannot create a Decimal from " + GoNumbers.format(real, 'g', -1));
    }
    return new BigDecimal(GoNumbers.format(real, 'e', -1));
  }

  private static Double addDecimals(Arguments a) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Object argument : a.from(0)) {
      sum = sum.add(decimal(argument));
    }
    return sum.doubleValue();
  }

  private static Double foldDecimal(Arguments a, BinaryOperator<BigDecimal> operator) {
    BigDecimal value = decimal(a.any(0));
    for (Object argument : a.from(1)) {
      value = operator.apply(value, decimal(argument));
    }
    return value.doubleValue();
  }

  private static BigDecimal divide(BigDecimal dividend, BigDecimal divisor) {
    if (divisor.signum() == 0) {
      throw new FunctionException("decimal division by 0");
    }
    return dividend.divide(divisor, QUOTIENT_DIGITS, RoundingMode.HALF_UP);
  }

  private static Double round(Arguments a) {
    double roundOn = a.size() > 2 ? a.real(2) : 0.5;
    double power = Math.pow(10, a.integer(1));
    double digits = power * Casts.toDouble(a.any(0));
    double fraction = digits - (digits < 0 ? Math.ceil(digits) : Math.floor(digits));
    return (fraction >= roundOn ? Math.ceil(digits) : Math.floor(digits)) / power;
  }

  private static TypedList until(long count) {
    return steps(0, count, count < 0 ? -1 : 1);
  }

  private static TypedList steps(long start, long stop, long step) {
    List<Long> numbers = new ArrayList<>();
    boolean down = stop < start;
    if (step == 0 || down == step > 0) {
      return new TypedList("int", numbers);
    }
    // as float64: the difference of two int may be none
    double count = Math.ceil(((double) stop - start) / step);
    if (count > LARGEST_LIST) {
      throw new FunctionException("result is too large");
    }
    for (long i = 0; i < (long) count; i++) {
      numbers.add(start + i * step);
    }
    return new TypedList("int", numbers);
  }

  private static String sequence(Arguments a) {
    if (a.size() == 0 || a.size() > 3) {
      return "";
    }
    long start = a.size() == 1 ? 1 : a.integer(0);
    long end = a.integer(a.size() - 1);
    int sign = end < start ? -1 : 1;
    long step = a.size() == 3 ? a.integer(1) : sign;
    if (a.size() == 3 && sign < 0 && step > 0) {
      return "";
    }
    return steps(start, end + sign, step).stream()
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  private static Long random(Arguments a) {
    if (a.integer(1) <= a.integer(0)) {
      throw new FunctionException("invalid argument to Intn");
    }
    return ThreadLocalRandom.current().nextLong(a.integer(0), a.integer(1));
  }
}
