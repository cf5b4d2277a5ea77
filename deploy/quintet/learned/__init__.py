"""What a run learns, one module for each kind: prompt parts, files in the run's folder, iterations, and reports."""
