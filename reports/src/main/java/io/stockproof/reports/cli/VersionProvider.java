package io.stockproof.reports.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class VersionProvider implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = VersionProvider.class.getPackage().getImplementationVersion();
    return new String[] {
      "stockproof " + (version != null ? version : "(not packaged)"),
      "Java " + System.getProperty("java.version")
    };
  }
}
