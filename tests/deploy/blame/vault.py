"""A world in which one act, that nothing warns of and nobody tells apart, makes the goal unreachable."""

from pathlib import Path

from quintet.author import Opening, Outcome, Task, World, WorldState

FORCE = "force the bolt"
"""It bends the bolt, and the door will not open any more. The stand-in is never told, and never does it by itself."""
PULL = "pull handle"
DIALS = ("copper", "silver", "iron", "tin", "zinc", "nickel", "cobalt", "gold")


class Vault(World):
    """Turn all dials in order, then pull the handle. Wrong turns cost a step and nothing else.

    Args:
        bent: whether the bolt is bent from the start.
        dials: how many there are.
    """

    name = "vault"
    prompt_folder = Path(__file__).parent / "vault_prompts"

    def __init__(self, bent: bool = False, dials: int = len(DIALS)) -> None:
        self._bent = bent
        self._dials = DIALS[:dials]

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(f"vault {number}" for number in range(400))

    def open(self, task: Task) -> "VaultState":
        self.check_task(task.name)
        return VaultState(self._dials, bent=self._bent)


class VaultState(WorldState):
    """Before a door."""

    turned: int
    bent: bool

    def __init__(self, dials: tuple[str, ...], *, bent: bool) -> None:
        setting = f"A vault with the dials {', '.join(dials)}."
        super().__init__(Opening(observation=f"{setting} Goal: open it.", setting=setting, goal="open it"))
        self._way = (*(f"turn {dial}" for dial in dials), PULL)
        self.turned, self.bent = 0, bent

    def step(self, action: str) -> Outcome:
        if action == FORCE:
            self.bent = True
            return self.accept("The bolt gives a little.")
        if action not in self._way:
            return self.reject("Nothing happens.")
        if action != self._way[self.turned]:
            return self.accept("It does not move.")
        self.turned += 1
        if action != PULL:
            return self.accept("Click.")
        return self.accept("The door stays shut." if self.bent else "The door opens.", float(not self.bent), done=True)

    def admissible(self) -> tuple[str, ...]:
        return () if self.done else (*self._way, FORCE)

    def expert(self) -> tuple[str, ...]:
        return self._way[self.turned :]
