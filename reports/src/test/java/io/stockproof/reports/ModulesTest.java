package io.stockproof.reports;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** core ← verification ← chaos ← reports, and no other arrow. */
@AnalyzeClasses(packages = "io.stockproof", importOptions = ImportOption.DoNotIncludeTests.class)
final class ModulesTest {

  private static final String CORE = "core";
  private static final String VERIFICATION = "verification";
  private static final String CHAOS = "chaos";
  private static final String REPORTS = "reports";

  @ArchTest
  static final ArchRule MODULES_ARE_A_CHAIN =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer(CORE)
          .definedBy(
              "io.stockproof",
              "io.stockproof.gate..",
              "io.stockproof.ledger..",
              "io.stockproof.recovery..",
              "io.stockproof.micrometer..",
              "io.stockproof.spring..")
          .layer(VERIFICATION)
          .definedBy("io.stockproof.verification..")
          .optionalLayer(CHAOS)
          .definedBy("io.stockproof.chaos..")
          .layer(REPORTS)
          .definedBy("io.stockproof.reports..")
          .whereLayer(CORE)
          .mayOnlyBeAccessedByLayers(VERIFICATION, CHAOS, REPORTS)
          .whereLayer(VERIFICATION)
          .mayOnlyBeAccessedByLayers(CHAOS, REPORTS)
          .whereLayer(CHAOS)
          .mayOnlyBeAccessedByLayers(REPORTS)
          .whereLayer(REPORTS)
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule CORE_KNOWS_NO_TEST_LIBRARY_NO_JSON_AND_NO_SPRING =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.stockproof",
              "io.stockproof.gate..",
              "io.stockproof.ledger..",
              "io.stockproof.recovery..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.junit..",
              "org.assertj..",
              "org.testcontainers..",
              "net.jqwik..",
              "com.fasterxml..",
              "tools.jackson..",
              "org.springframework..");
}
