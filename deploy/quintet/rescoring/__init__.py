"""`quintet rescore`: the stored episodes of a run are scored anew, by a model or a function, without being played."""
