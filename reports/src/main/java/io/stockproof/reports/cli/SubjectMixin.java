package io.stockproof.reports.cli;

import io.stockproof.verification.Subject;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.subjects.Subjects;
import java.io.File;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Names of subjects to subjects: those built in, and those of the user's own class path. */
final class SubjectMixin {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--classpath",
      paramLabel = "PATH",
      description = "Jars and folders with your own subject, separated as on a Java class path.")
  @Nullable String classpath;

  @Option(
      names = "--subject",
      paramLabel = "CLASS",
      description =
          "Your own subject: a class with a constructor without parameters that implements"
              + " io.stockproof.verification.Subject, or java.util.function.Supplier of one.")
  List<String> classes = new ArrayList<>();

  @Option(
      names = "--unique",
      description =
          "With a unique key over coupon and user, where a built-in subject's article leaves it"
              + " out; a violation is told as DUPLICATE. The same as +unique at the end of its"
              + " name.")
  boolean unique;

  /**
   * What is to be verified, and what it is known to break.
   *
   * @param summary what it is, in a line; null if it is the user's own
   * @param source where it is described; null if it is the user's own
   */
  record Chosen(
      String name,
      ExpectedRules expected,
      Supplier<? extends Subject> make,
      @Nullable String summary,
      @Nullable String source) {}

  /**
   * The subjects named, then those of {@code --subject}; an empty list if neither is given.
   *
   * @throws ParameterException if one is unknown
   */
  List<Chosen> chosen(List<String> names) {
    if (classpath != null
        && classes.isEmpty()
        && names.stream().noneMatch(n -> n.indexOf('.') > 0)) {
      throw new ParameterException(
          spec.commandLine(),
          "--classpath needs --subject CLASS: which class on it is the subject?");
    }
    List<Chosen> chosen = new ArrayList<>();
    names.stream().distinct().forEach(name -> chosen.add(named(name)));
    classes.stream().distinct().forEach(name -> chosen.add(ofClass(name)));
    return chosen;
  }

  /**
   * The one subject that is asked for.
   *
   * @throws ParameterException if it is none, several, or unknown
   */
  Chosen one(List<String> names) {
    List<Chosen> chosen = chosen(names);
    if (chosen.size() != 1) {
      throw new ParameterException(
          spec.commandLine(),
          chosen.isEmpty()
              ? "which SUBJECT? see: stockproof list subjects"
              : "one SUBJECT at a time, not " + chosen.size());
    }
    return chosen.get(0);
  }

  /**
   * The one subject of this name: a built-in one, or a class.
   *
   * @throws ParameterException if there is none
   */
  Chosen named(String name) {
    return Subjects.named(name)
        .map(entry -> unique ? entry.withUniqueKey().orElse(entry) : entry)
        .map(
            entry ->
                new Chosen(
                    entry.name(), entry.expected(), entry.make(), entry.summary(), entry.source()))
        .orElseGet(
            () -> {
              if (name.indexOf('.') > 0) {
                return ofClass(name);
              }
              throw unknown(name);
            });
  }

  private ParameterException unknown(String name) {
    List<String> known = Subjects.all().stream().map(Subjects.Entry::name).toList();
    String meant = Suggestions.question(name, known);
    return new ParameterException(
        spec.commandLine(),
        "unknown subject '%s'; %sallowed: %s, or a class with --classpath"
            .formatted(name, meant, String.join(", ", known)));
  }

  private Chosen ofClass(String className) {
    try {
      Class<?> type = Class.forName(className, true, loader());
      try (Subject first = make(type)) {
        return new Chosen(first.name(), ExpectedRules.none(), () -> again(type), null, null);
      }
    } catch (ClassNotFoundException absent) {
      throw new ParameterException(
          spec.commandLine(),
          "no class '%s' on --classpath %s"
              .formatted(className, classpath == null ? "(not given)" : classpath));
    } catch (ParameterException alreadySaid) {
      throw alreadySaid;
    } catch (Exception | LinkageError unfit) {
      throw new ParameterException(
          spec.commandLine(),
          "class '%s' must implement %s, or %s of one, and have a constructor without parameters: %s"
              .formatted(className, Subject.class.getName(), Supplier.class.getName(), unfit));
    }
  }

  private static Subject make(Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor();
    // Test classes, such as those that extend IssuanceContract, are rarely public.
    constructor.setAccessible(true);
    Object made = constructor.newInstance();
    return (Subject) (made instanceof Supplier<?> supplier ? supplier.get() : made);
  }

  private static Subject again(Class<?> type) {
    try {
      return make(type);
    } catch (ReflectiveOperationException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private ClassLoader loader() {
    if (classpath == null) {
      return SubjectMixin.class.getClassLoader();
    }
    List<URL> urls = new ArrayList<>();
    for (String part : classpath.split(File.pathSeparator, -1)) {
      File file = new File(part);
      if (!file.exists()) {
        throw new ParameterException(
            spec.commandLine(), "--classpath: there is no file or folder '" + part + "'");
      }
      try {
        urls.add(file.toURI().toURL());
      } catch (MalformedURLException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), SubjectMixin.class.getClassLoader());
  }
}
