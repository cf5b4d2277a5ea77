"""Goals of the other kinds of task in the household of `homes.py`."""

from tests.actors.environments.alfworld.homes import HEAT

PICK = """(and (exists (?r - receptacle) (exists (?o - object)
    (and (inReceptacle ?o ?r) (objectType ?o KnifeType) (receptacleType ?r CounterTopType)))))"""
CLEAN = HEAT.replace("heatable", "cleanable").replace("isHot", "isClean")
COOL = HEAT.replace("heatable", "coolable").replace("isHot", "isCool").replace("FridgeType", "MicrowaveType")
