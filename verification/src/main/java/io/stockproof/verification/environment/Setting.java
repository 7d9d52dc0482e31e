package io.stockproof.verification.environment;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One setting of the environment: a system property, and below it an environment variable.
 *
 * @param property for example {@code stockproof.environment}
 */
record Setting(String property) {

  /** The property with capitals and underscores: {@code STOCKPROOF_ENVIRONMENT}. */
  String variable() {
    return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** What is set, from the property before the variable; blank counts as not set. */
  Optional<String> text() {
    return Optional.ofNullable(System.getProperty(property))
        .filter(value -> !value.isBlank())
        .or(() -> Optional.ofNullable(System.getenv(variable())))
        .map(String::strip)
        .filter(value -> !value.isEmpty());
  }

  /**
   * One of the constants of an enum, written in lower case.
   *
   * @throws IllegalArgumentException naming the property, the value and what is allowed
   */
  <E extends Enum<E>> Optional<E> choice(Class<E> type) {
    return text().map(value -> parse(value, type));
  }

  private <E extends Enum<E>> E parse(String value, Class<E> type) {
    Function<E, String> name = constant -> constant.name().toLowerCase(Locale.ROOT);
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> name.apply(constant).equals(value.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s (or %s) must be one of %s, was '%s'"
                        .formatted(
                            property,
                            variable(),
                            Arrays.stream(type.getEnumConstants())
                                .map(name)
                                .collect(Collectors.joining(", ")),
                            value)));
  }
}
