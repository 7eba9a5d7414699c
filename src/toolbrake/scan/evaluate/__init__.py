"""What a policy finds, saves and disturbs: measured on recorded runs, on cases and on probes."""
