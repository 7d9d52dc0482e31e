package io.stockproof.reports.cli;

import io.stockproof.verification.EffortLevel;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import io.stockproof.verification.environment.Setting;
import io.stockproof.verification.explore.Choices;
import io.stockproof.verification.explore.SearchSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Texts of the command line to values; messages name what is allowed. */
final class Converters {
  private Converters() {}

  private static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
    return Arrays.stream(type.getEnumConstants())
        .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(() -> notAllowed(text, type));
  }

  private static TypeConversionException notAllowed(String text, Class<? extends Enum<?>> type) {
    var allowed =
        Arrays.stream(type.getEnumConstants())
            .map(value -> value.name().toLowerCase(Locale.ROOT))
            .toList();
    String meant =
        Suggestions.nearest(text, allowed).map(near -> ", did you mean '" + near + "'?").orElse("");
    return new TypeConversionException(
        "must be one of " + String.join(", ", allowed) + ", was '" + text + "'" + meant);
  }

  static final class ToChoice implements ITypeConverter<Choice> {
    @Override
    public Choice convert(String text) {
      return oneOf(Choice.class, text);
    }
  }

  static final class ToProduct implements ITypeConverter<Product> {
    @Override
    public Product convert(String text) {
      return oneOf(Product.class, text);
    }
  }

  static final class ToEffort implements ITypeConverter<EffortLevel> {
    @Override
    public EffortLevel convert(String text) {
      return oneOf(EffortLevel.class, text);
    }
  }

  static final class ToMode implements ITypeConverter<SearchSettings.Mode> {
    @Override
    public SearchSettings.Mode convert(String text) {
      return oneOf(SearchSettings.Mode.class, text);
    }
  }

  static final class ToChoices implements ITypeConverter<Choices> {
    @Override
    public Choices convert(String text) {
      try {
        return Choices.parse(text);
      } catch (IllegalArgumentException unknown) {
        throw new TypeConversionException(String.valueOf(unknown.getMessage()));
      }
    }
  }

  static final class ToDuration implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Setting.time(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "must be a time such as 500ms, 30s, 2m or 1h, was '" + text + "'"));
    }
  }
}
