package io.cellmesh.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import org.junit.jupiter.api.Test;

/** The arrows between the modules point down, and siblings never import siblings. */
class ArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cellmesh");

  @Test
  void modules_depend_only_on_the_modules_that_the_design_allows() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("io.cellmesh..")
        .layer("cell")
        .definedBy("io.cellmesh.cell..")
        .layer("client")
        .definedBy("io.cellmesh.client..")
        .layer("storage")
        .definedBy("io.cellmesh.storage..")
        .layer("connect-client")
        .definedBy("io.cellmesh.connect.client..")
        .layer("deployment")
        .definedBy("io.cellmesh.deployment..")
        .layer("health")
        .definedBy("io.cellmesh.health..")
        .layer("topics")
        .definedBy("io.cellmesh.topics..")
        .layer("triggers")
        .definedBy("io.cellmesh.triggers..")
        .layer("examples")
        .definedBy("io.cellmesh.examples..")
        .layer("operations")
        .definedBy("io.cellmesh.operations..")
        .layer("worker")
        .definedBy("io.cellmesh.worker..")
        .layer("terminal")
        .definedBy("io.cellmesh.terminal..")
        .layer("connect-converter")
        .definedBy("io.cellmesh.connect.converter..")
        .layer("connect-sink")
        .definedBy("io.cellmesh.connect.sink..")
        .layer("connect-source")
        .definedBy("io.cellmesh.connect.source..")
        .layer("index-streams")
        .definedBy("io.cellmesh.index..")
        .layer("herb-replicator")
        .definedBy("io.cellmesh.herb..")
        .layer("devstack")
        .definedBy("io.cellmesh.devstack..")
        .layer("stack")
        .definedBy("io.cellmesh.stack..")
        .layer("bench")
        .definedBy("io.cellmesh.bench..")
        .layer("testcontainers")
        .definedBy("io.cellmesh.testcontainers..")
        .layer("cli")
        .definedBy("io.cellmesh.cli..")
        .whereLayer("cell")
        .mayNotAccessAnyLayer()
        .whereLayer("client")
        .mayOnlyAccessLayers("cell")
        .whereLayer("storage")
        .mayOnlyAccessLayers("cell")
        .whereLayer("connect-client")
        .mayOnlyAccessLayers("cell")
        .whereLayer("deployment")
        .mayOnlyAccessLayers("cell")
        .whereLayer("health")
        .mayNotAccessAnyLayer()
        .whereLayer("topics")
        .mayOnlyAccessLayers("deployment", "cell")
        .whereLayer("triggers")
        .mayOnlyAccessLayers("topics", "health", "deployment", "cell")
        .whereLayer("examples")
        .mayOnlyAccessLayers("triggers", "topics", "health", "deployment", "cell")
        .whereLayer("examples")
        .mayOnlyBeAccessedByLayers("stack")
        .whereLayer("operations")
        .mayOnlyAccessLayers(
            "storage", "topics", "connect-client", "connect-converter", "deployment", "cell")
        .whereLayer("worker")
        .mayOnlyAccessLayers("operations", "storage", "topics", "health", "deployment", "cell")
        .whereLayer("worker")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("terminal")
        .mayOnlyAccessLayers("operations", "cell")
        .whereLayer("terminal")
        .mayOnlyBeAccessedByLayers("bench", "stack", "cli")
        .whereLayer("connect-sink")
        .mayOnlyAccessLayers("connect-converter", "storage", "cell")
        .whereLayer("connect-converter")
        .mayOnlyAccessLayers("cell")
        .whereLayer("connect-source")
        .mayOnlyAccessLayers("cell")
        .whereLayer("index-streams")
        .mayOnlyAccessLayers("health", "deployment", "cell")
        .whereLayer("herb-replicator")
        .mayOnlyAccessLayers("health", "deployment", "cell")
        .whereLayer("devstack")
        .mayOnlyAccessLayers("connect-client", "cell")
        .whereLayer("stack")
        .mayOnlyAccessLayers(
            "examples",
            "triggers",
            "terminal",
            "devstack",
            "operations",
            "storage",
            "topics",
            "connect-client",
            "deployment",
            "cell")
        .whereLayer("bench")
        .mayOnlyAccessLayers(
            "terminal",
            "devstack",
            "operations",
            "storage",
            "triggers",
            "topics",
            "connect-client",
            "deployment",
            "cell")
        .whereLayer("testcontainers")
        .mayOnlyAccessLayers("storage", "topics", "deployment", "cell")
        .whereLayer("testcontainers")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        // A module that is not looked at would keep every rule.
        .withOptionalLayers(false)
        .check(CLASSES);
  }

  @Test
  void operations_neither_print_nor_exit_nor_know_the_command_line() {
    noClasses()
        .that()
        .resideInAnyPackage("io.cellmesh.operations..", "io.cellmesh.topics..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "picocli..", "io.cellmesh.cli..", "io.cellmesh.terminal..", "io.cellmesh.devstack..")
        .orShould(ACCESS_STANDARD_STREAMS)
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }

  @Test
  void an_application_that_embeds_the_client_gets_cell_and_jackson_with_it_and_no_more() {
    classes()
        .that()
        .resideInAPackage("io.cellmesh.client..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl..",
            "com.fasterxml.jackson..",
            "io.cellmesh.cell..",
            "io.cellmesh.client..")
        .check(CLASSES);
  }

  @Test
  void no_two_packages_import_each_other() {
    slices()
        .matching("io.cellmesh.(**)")
        .should()
        .beFreeOfCycles()
        // What the servers' programs and their users have in common.
        .ignoreDependency(resideInAPackage("io.cellmesh.devstack.dist"), type(Progress.class))
        .ignoreDependency(
            resideInAPackage("io.cellmesh.devstack.dist"), type(DevStackException.class))
        .check(CLASSES);
  }
}
