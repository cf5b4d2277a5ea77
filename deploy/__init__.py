"""Where it runs: runtimes, journal, configuration, reports and the command line."""
