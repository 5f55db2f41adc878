"""Runs probes under the user's cuPyNumeric: main.py PROCESSORS MOST KIND EFFORT PROBE,PROBE,...

One program for many probes, because a start of Legate takes seconds.
"""

import sys
import time

import algebra
import cupynumeric
import exchange
import launches
import legate
import measure
import rates

PROBES = {
    "first touch": rates.first_touch,
    "operations": launches.operations,
    "host work": launches.host_work,
    "chains": launches.chains,
    "waits": launches.waits,
    "sizes": launches.sizes,
    "window": launches.window,
    "streams": rates.streams,
    "classes": rates.classes,
    "together": rates.together,
    "queues": rates.queues,
    "walks": rates.walks,
    "choices": rates.choices,
    "normals": rates.normals,
    "small tables": rates.small_tables,
    "sort": rates.sort,
    "fourier": rates.fourier,
    "products": algebra.products,
    "factorisations": algebra.factorisations,
    "spectra": algebra.spectra,
    "edges": exchange.edges,
    "layouts": exchange.layouts,
    "everybody": exchange.everybody,
    "merges": exchange.merges,
}


class Machine:
    """What the probes run on."""

    def __init__(self, processors, most, kind, effort):
        self.processors, self.most = processors, most
        self.gpu = kind == "gpu"
        self.effort = effort
        # From so many elements on Legate divides an array.
        self.split = 1 << 20 if self.gpu else 1 << 14
        # An operation on so many takes a processor a few times longer than its submission.
        self.busy_elements = 1 << 26 if self.gpu else 1 << 17
        self.large_elements = 1 << 28 if self.gpu else 1 << 22

    def seconds(self, quick):
        return quick * measure.EFFORTS[self.effort]


def main():
    processors, most, kind, effort, wanted = sys.argv[1:6]
    machine = Machine(int(processors), int(most), kind, effort)
    versions = "cuPyNumeric %s, Legate %s, Python %d.%d" % (
        cupynumeric.__version__, legate.__version__, *sys.version_info[:2])
    measure.say({"runtime": versions})
    for name, probe in PROBES.items():
        if name not in wanted.split(","):
            continue
        measure.say({"begin": name})
        start = time.perf_counter()
        try:
            record = probe(machine)
        except Exception as error:  # what one probe cannot do is no reason to lose the others
            record = measure.Record(name)
            record.problem("%s: %s: %s" % (name, type(error).__name__, error))
        record.content["seconds"] = time.perf_counter() - start
        measure.say(record.content)


main()
