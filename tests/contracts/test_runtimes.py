"""The runtimes keep the runtime contract."""

from collections.abc import Sequence
from random import Random

from deploy.journal.writer import SqliteJournal
from deploy.runtime.assembly import Assembly
from deploy.runtime.host import Host
from deploy.runtime.local import LocalRuntime
from deploy.runtime.runtime import Runtime
from tests.contracts.runtime import RuntimeContract
from tests.simulation.cluster import PER_ROLE, TOGETHER, Cluster
from tests.simulation.network import Network


class TestLocal(RuntimeContract):
    def open(self, assembly: Assembly, journal: SqliteJournal) -> Runtime:
        return LocalRuntime(assembly, journal, concurrency=2)

    @staticmethod
    def hosts(runtime: Runtime) -> Sequence[Host]:
        assert isinstance(runtime, LocalRuntime)
        return [runtime.host]


class TestSimulatedTogether(RuntimeContract):
    def open(self, assembly: Assembly, journal: SqliteJournal) -> Runtime:
        return Cluster.build(assembly, journal, Network(Random(0)), TOGETHER, slots=2)

    @staticmethod
    def hosts(runtime: Runtime) -> Sequence[Host]:
        assert isinstance(runtime, Cluster)
        return runtime.survivors()


class TestSimulatedPerRole(TestSimulatedTogether):
    def open(self, assembly: Assembly, journal: SqliteJournal) -> Runtime:
        return Cluster.build(assembly, journal, Network(Random(0)), PER_ROLE, slots=2)
