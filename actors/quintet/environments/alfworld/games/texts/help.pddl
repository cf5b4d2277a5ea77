
  (:action help
    :parameters (?a - agent)
    :precondition ()
    :effect (checked ?a))
