"""An issue tracker: projects with files and commits, issues, merge requests, milestones, members, groups."""
