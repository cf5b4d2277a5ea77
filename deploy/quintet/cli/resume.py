"""`resume`: goes on with a run, a study, an optimisation of prompts or a search for steps."""

from functools import partial
from pathlib import Path

from quintet.cli.blame import resume_blame
from quintet.cli.console import notify
from quintet.cli.detach import start_detached
from quintet.cli.finish import finish
from quintet.cli.flags import ResumeFlags, Switch
from quintet.cli.optimize_prompts import resume_optimization
from quintet.cli.run import arm_runner, run_to_end
from quintet.cli.shards import go_on_sharded, sharded_run, wait_for_another_driver
from quintet.errors import UsageError
from quintet.launch.prepare import refuse_changes
from quintet.launch.refusals import refuse_imported
from quintet.launch.writable_run import WritableRun
from quintet.learned.kinds import CONTENT_KINDS
from quintet.reports.episodes import results
from quintet.reports.learning.files import VersionFiles
from quintet.reports.load import NO_EPISODES
from quintet.runs.ends import RunStop
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.studies.definition import recorded_study
from quintet.studies.run import WritableStudy, run_study
from quintet.trust.refusal import refuse_untrusted

_NO_CHANGES = ResumeFlags()


def resume_command(
    run: Path,
    *,
    flags: ResumeFlags = _NO_CHANGES,
    shard: str | None = None,
    faulted: Switch = False,
    anew: Switch = False,
    trust: Switch = False,
) -> int:
    """Continue a run or a study.

    Args:
        run: Its folder.
        shard: Of a run over several drivers, begin or continue this shard alone, I/N with I from 0.
        faulted: Also repeat the episodes that faulted.
        anew: Begin again if the run's journal is lost; every model call is made, and paid for, again.
        trust: Approve all that a run of somebody else would run, import and contact, which is listed without this.
    """
    settings, hooks = flags.settings(), flags.load_hooks()
    found = open_any(run)
    refuse_untrusted(found, trust=trust)
    if shard is not None or (isinstance(found, RunFolder) and found.record.sharded):
        run_of_shards = sharded_run(found)
        if anew:
            raise UsageError(f"--anew: expected the folder of one shard, got a run over several drivers ({run})")
        refuse_changes(run_of_shards.record, settings, run)
        carry_out = partial(run_to_end, hooks=hooks, retry_faulted=faulted)
        return go_on_sharded(run_of_shards, shard, flags, carry_out, settings=settings, faulted=faulted, trust=trust)
    if flags.detach:
        return start_detached(run, json=flags.json)
    if isinstance(found, StudyFolder):
        if anew:
            raise UsageError(f"--anew: expected a run folder, such as that of an arm, got a study ({run})")
        if found.record.optimization is not None:
            if faulted:
                raise UsageError(f"--faulted: expected none, since candidates follow from what faulted, got it ({run})")
            return resume_optimization(run, settings, hooks, trust=trust, json=flags.json)
        if found.record.blame is not None:
            if faulted:
                raise UsageError(f"--faulted: expected none, since stages follow from what faulted, got it ({run})")
            return resume_blame(run, settings, hooks, trust=trust, json=flags.json)
        with WritableStudy.open(run, settings, trust=trust) as arms:
            stop = run_study(arms, arm_runner(hooks, retry_faulted=faulted), retry_faulted=faulted)
        return finish(run, stop, json=flags.json, drawing=recorded_study(found))
    refuse_changes(found.record, settings, run)
    refuse_imported(found.record, run)
    if found.record.shard is not None:
        wait_for_another_driver(run)
    for damage in found.damage:
        notify(damage)
    before = None if anew else results(found, NO_EPISODES)
    if before is not None and before.finished and not (faulted and before.count("faulted")):
        notify(f"nothing to resume: all {before.count('solved', 'unsolved', 'faulted')} episodes ended")
        if found.record.learns:  # a kill may have come between the end and the copies
            VersionFiles(CONTENT_KINDS[found.record.learnt], found.path, notify).complete()
        return finish(run, RunStop(before.ended), json=flags.json)
    with WritableRun.open(run, settings, anew=anew, trust=trust) as folder:
        stop = run_to_end(folder, folder.record.label, hooks, retry_faulted=faulted)
    return finish(run, stop, json=flags.json)
