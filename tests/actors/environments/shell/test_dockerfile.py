"""Dockerfiles that only place files."""

import pytest

from quintet.environments.shell.dockerfile import CopiedFiles, FilePlacement, read_dockerfile


def test_files_are_placed_within_the_working_directory() -> None:
    text = """
    # a comment
    FROM ubuntu:24.04
    WORKDIR /app
    COPY a.txt b.txt \\
         data/
    COPY . .
    COPY --chmod=755 run.sh /app/bin/start
    """
    assert read_dockerfile(text, "Dockerfile") == FilePlacement(
        "/app",
        (
            CopiedFiles(("a.txt", "b.txt"), "data/"),
            CopiedFiles((".",), "./"),
            CopiedFiles(("run.sh",), "bin/start"),
        ),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FROM x\nWORKDIR /a\nRUN apt-get update", "Dockerfile, line 3: expected FROM, WORKDIR or COPY, got RUN"),
        ("FROM x\n\nENV A=1", "Dockerfile, line 3: expected FROM, WORKDIR or COPY, got ENV"),
        ("FROM x", "expected a WORKDIR below /, got none"),
        ("FROM x\nWORKDIR /a\nCOPY f /etc/f", "line 3: expected a target within /a, got /etc/f"),
        ("FROM x\nWORKDIR /a\nCOPY --from=b f g", "line 3: expected COPY SOURCE... TARGET"),
        ("FROM x\nWORKDIR /a\nCOPY *.txt .", "line 3: expected COPY SOURCE... TARGET"),
    ],
)
def test_anything_else_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_dockerfile(text, "Dockerfile")
    assert said in str(refused.value)
