"""Metrics that are sums of others: (metric, 'metric -metric ...'), a name with '-' is subtracted."""
from collections import defaultdict


def children_first(sums):
    """Sums in an order in which each comes after those that it adds up."""
    terms, result = dict(sums), {}

    def visit(metric):
        for term in terms[metric].split():
            if term.lstrip('-') in terms and term.lstrip('-') not in result:
                visit(term.lstrip('-'))
        result[metric] = terms[metric]
    for metric in terms:
        if metric not in result:
            visit(metric)
    return tuple(result.items())


def times_among(sums, times):
    """The sums of times."""
    found = set(times)
    for metric, terms in sums:
        if terms.split()[0] in found:
            found.add(metric)
    return found


def add_up(sums, values):
    """Puts the sums into values[metric][call path, location]."""
    for metric, terms in sums:
        result = defaultdict(int)
        for term in terms.split():
            sign, name = (-1, term[1:]) if term[0] == '-' else (1, term)
            for key, value in values.get(name, {}).items():
                result[key] += sign * value
        values[metric] = result
