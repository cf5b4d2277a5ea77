"""Files that start and resume runs on clusters: Ray jobs, `ray up`, KubeRay, Slurm, Docker."""
