def choose(bodies):
    """Which of the bodies is used."""
    return bodies[0]


def fastest(bodies):
    """The fastest body of
    all."""
    return bodies[0]


def reset():
    """Where a list is given, forgets it."""
