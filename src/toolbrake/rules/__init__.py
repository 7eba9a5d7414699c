"""One module a rule. A rule sees one kind of loop, keeps its own small state and names its evidence."""
