"""Computational imbalance ("Imbalance")."""


def imbalance(analysis, costs):
    locations, values = analysis.archive.locations, analysis.values
    if len(locations) < 2:
        return
    processes = {location.process for location in locations}
    has_omp = any(path.region.paradigm == 'OPENMP' for path, _ in values['visits'])
    for path in dict.fromkeys(path for path, _ in values['visits']):
        parallel = any(p.region.name.startswith('!$omp parallel @') for p in path.ancestors())
        value = {location: values['comp'].get((path, location), 0) for location in locations}
        participants = [location for location in locations if parallel or location.thread == 0]
        average = sum(value.values()) / (len(locations) if parallel else len(processes))
        for location in participants:
            costs.book('imbalance', path, location, abs(value[location] - average))
            costs.book('imbalance_above', path, location, max(0, value[location] - average))
            costs.book('imbalance_below', path, location, max(0, average - value[location]))
        visitors = [location for location in locations if values['visits'].get((path, location))]
        if not average or len(visitors) == len(locations) or (has_omp and not parallel):
            continue
        for location in locations:
            if location not in visitors:
                costs.book('imbalance_below_bypass', path, location, average)
                if len(visitors) == 1:
                    costs.book('imbalance_below_singularity', path, location, average)
        if len(visitors) == 1:
            costs.book('imbalance_above_single', path, visitors[0], average * (len(locations) - 1))
