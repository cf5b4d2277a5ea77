"""The pages and questions that come with the project, all made up."""
