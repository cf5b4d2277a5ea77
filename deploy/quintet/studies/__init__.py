"""Studies: several runs that answer one question, arm beside arm on the same tasks."""
