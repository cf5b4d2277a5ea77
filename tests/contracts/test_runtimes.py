"""The runtimes keep the runtime contract."""

from collections.abc import Sequence
from random import Random

from quintet.journal.writer import SqliteJournal
from quintet.runtime.host import Host
from quintet.runtime.local import LocalRuntime
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from tests.contracts.runtime import RuntimeContract
from tests.simulation.cluster import COLOCATED, PER_ROLE, Cluster
from tests.simulation.network import Network


class TestLocal(RuntimeContract):
    def open(self, spec: RunSpec, journal: SqliteJournal) -> Runtime:
        return LocalRuntime(spec, journal, concurrency=2)

    @staticmethod
    def hosts(runtime: Runtime) -> Sequence[Host]:
        assert isinstance(runtime, LocalRuntime)
        return [runtime.host]


class TestSimulatedTogether(RuntimeContract):
    def open(self, spec: RunSpec, journal: SqliteJournal) -> Runtime:
        return Cluster(spec, journal, Network(Random(0)), COLOCATED, slots=2)

    @staticmethod
    def hosts(runtime: Runtime) -> Sequence[Host]:
        assert isinstance(runtime, Cluster)
        return runtime.survivors()


class TestSimulatedPerRole(TestSimulatedTogether):
    def open(self, spec: RunSpec, journal: SqliteJournal) -> Runtime:
        return Cluster(spec, journal, Network(Random(0)), PER_ROLE, slots=2)
