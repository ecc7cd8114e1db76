"""Who may include what: the plan of the house. Three rules.

Folders form no circle, at any depth: neither dsl, kernels, runtime, compiler, tools, lapack, c, nor any folders in them.
Rooms include rooms of lower floors (FLOORS). Of another room only its doors (DOORS; of one in the same house the inner
doors, too, INNER_DOORS), what is in an include folder, or all of it where it has no row there. And each foreign library
has one home (HOMES).

Tests may include what they test.

usage: check_includes.py SOURCE_DIR; exits 1 and lists every include that breaks a rule."""

import collections
import os
import re
import sys

# '#include "x"' and '<x>', in lines that a generator writes, too.
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
TOP = ("dsl", "kernels", "runtime", "compiler", "lapack", "c", "tools")
SOURCES = (".cpp", ".hpp", ".h", ".cu", ".cuh", ".tla")

# Foreign header -> folders that may include it. Tests and tools may use what they test.
HOMES = {
    r"mpi\.h": ["runtime/transport/mpi", "tests"],
    r"simgrid/": ["runtime/predict/simgrid"],
    r"(cuda|cublas|cusolver|nvrtc)": ["runtime/device/cuda", "kernels/cuda", "kernels/tuned", "kernels/tuning", "tests"],
    r"clang/": ["compiler/frontend", "compiler/backend"],
    r"llvm/": ["compiler/frontend", "compiler/backend", "compiler/codegen", "compiler/driver", "compiler/cache", "compiler/process",
               "compiler/support"],
    r"isl/": ["compiler/dependence", "compiler/specialize", "tests/unit/compiler", "tests/unit/runtime/distribution"],
    r"boost/context/": ["runtime/predict/clock"],
    r"boost/(?!context/)": ["dsl/annotations", "kernels/tuning"],
    r"(cblas|f77blas|openblas_config|lapacke?)\.h": ["kernels/openblas", "tests"],
    r"hwloc": ["runtime/core/schedule"],
    r"CLI/": ["runtime/host/problem", "runtime/predict/commands", "tools", "tests"],
    r"nlohmann/": ["dsl/base", "runtime/predict", "runtime/host/starter", "runtime/program", "runtime/trace", "lapack",
                   "tools", "tests"],
    r"gtest/|gmock/": ["tests/unit"],
}

# The floors from the bottom up; rooms of one floor do not know each other.
FLOORS = [
    ["dsl/base", "dsl/include"],
    ["dsl/annotations", "kernels/include", "kernels/vectors"],
    ["kernels/reference"],
    ["kernels"],
    ["kernels/recursive", "kernels/cuda"],
    ["kernels/tuned", "kernels/openblas"],
    ["kernels/tuning"],
    ["runtime/include"],
    ["runtime/interfaces"],
    ["runtime/virtual"],
    ["runtime/distribution", "runtime/threads", "runtime/transport", "runtime/trace"],
    ["runtime/device"],
    ["runtime/device/emulated", "runtime/device/cuda"],
    ["runtime/core/window", "runtime/device/choice"],
    ["runtime/core/schedule"],
    ["runtime/core/places"],
    ["runtime/core/passes"],
    ["runtime/core/network"],
    ["runtime/core/run"],
    ["runtime/validation", "runtime/host/base"],
    ["runtime/host/ranks", "runtime/host/files"],
    ["runtime/host/problem"],
    ["runtime/host/starter", "runtime/host/check"],
    ["runtime/host/output"],
    ["runtime/predict/clock"],
    ["runtime/predict/machine", "runtime/predict/network", "runtime/predict/count"],
    ["runtime/predict/simgrid", "runtime/predict/rates"],
    ["runtime/predict/plan"],
    ["runtime/predict/commands"],
    ["runtime/program"],
    ["runtime", "c/include"],
    ["compiler/support", "compiler/ir"],
    ["compiler/process", "compiler/frontend", "compiler/split", "compiler/dependence"],
    ["compiler/specialize", "compiler/maps", "compiler/backend"],
    ["compiler/codegen"],
    ["compiler/driver"],
    ["compiler/cache"],
    ["tools/gantt", "tools/graph", "tools/tuner", "lapack", "c"],
    ["tools/hetc", "tools/published"],
]

# Room -> the headers that other rooms may include; all others are private. Folders inside a room belong to it, unless
# they are rooms themselves.
DOORS = {
    "kernels": ["blas_pin", "crew", "module", "open_module", "winners"],
    "kernels/cuda": ["check", "launch", "table", "tuned_list"],
    "kernels/recursive": ["blocks", "bodies", "mirror", "parts", "products", "table", "transpose"],
    "kernels/tuned": ["gemm"],
    "kernels/openblas": [],
    "kernels/tuning": ["cuda/device", "cuda/gemm", "enumerate", "evaluate", "nest", "plan"],
    "runtime/distribution": ["dealing", "device_columns", "distribution", "generalized", "weighted"],
    "runtime/threads": ["clock", "park"],
    "runtime/transport": ["transport"],
    "runtime/device/emulated": ["emulated_accelerator", "emulated_options"],
    "runtime/device/cuda": ["cuda_options", "open_cuda"],
    "runtime/core/window": ["dry_pass", "main_access", "tile_table"],
    "runtime/core/schedule": ["cgroup", "huge_pages"],
    "runtime/core/places": ["node_places"],
    "runtime/core/passes": ["blocked_program", "flop_count", "in_parallel", "protocol", "shapes", "single_task"],
    "runtime/core/network": ["watchdog"],
    "runtime/core/run": [],
    "runtime/validation": [],
    "runtime/host/files": ["mapped_file", "matrix_file", "matrix_source", "npy", "output_file"],
    "runtime/host/problem": ["layout", "memory", "nominal_flops", "options", "outcome_text", "problem", "quantity", "residence",
                             "scalars", "settings", "sizes", "slices", "task_order"],
    "runtime/host/check": ["check"],
    "runtime/host/starter": ["node_loops", "run_command"],
    "runtime/host/output": ["output_rules", "trace_output"],
    "runtime/predict/machine": ["json_members", "machine_profile", "profile_choice", "virtual_node"],
    "runtime/predict/network": ["network_model", "platform_network", "virtual_network"],
    "runtime/predict/simgrid": [],
    "runtime/predict/rates": ["calibration", "device_rates", "dominant_kernel", "element_bounds", "kernel_times", "link_measurement",
                           "machine_measurement", "machine_numbers", "measured_machine", "rates"],
    "runtime/predict/plan": ["cost_choice", "device_shares", "order_choice", "owner_search", "plan", "problem_object", "rivals",
                             "task_map_choice", "tile_search", "usual_tile_size", "virtual_run"],
    "runtime/predict/commands": ["cost_command", "plan_command", "sim_command"],
    "runtime/program": [],
    "compiler/frontend": ["frontend"],
    "compiler/split": ["split"],
    "compiler/dependence": ["analyze_program", "arguments", "context", "dependence", "enumerations", "model", "relations",
                            "runs", "slice_columns"],
    "compiler/maps": ["deal", "replicate"],
    "compiler/specialize": ["node_program", "specialize_program"],
    "compiler/backend": ["compile", "link", "precompiled"],
    "compiler/codegen": ["cxx", "generate_code", "halves", "header", "link_errors", "link_program", "machine_code",
                         "processors"],
    "compiler/driver": ["compile", "header"],
    "compiler/cache": ["cache", "depfile", "manifest"],
    "compiler/process": ["files", "process", "source_files"],
    "tools/gantt": ["counts", "html", "read_trace", "svg", "table"],
    "tools/graph": ["dot", "picture"],
    "tools/published": [],
    "tools/tuner": ["hashes", "report", "tuner"],
    "lapack": [],
    "c": [],
}

# Doors between the rooms of one house, which others do not use.
INNER_DOORS = {
    "runtime/core/window": ["accelerator_memory", "appender", "completion", "copy_task", "critical_path",
                            "halves", "matrix_homes", "node_tasks", "packing", "run_state", "run_tables", "task",
                            "task_log", "tile_buffers", "window", "written_tiles"],
    "runtime/core/schedule": ["activity", "crew", "hand", "host_device", "scheduling", "statistics", "topology"],
    "runtime/core/places": ["accelerator_lanes", "accelerator_worker", "homes", "places", "residents", "tile_uses"],
    "runtime/core/passes": ["borrowed_period", "node_program", "replay"],
    "runtime/core/network": ["courier", "transfer"],
}

# Rooms that only rooms under some folders may enter at all.
INDOORS = {
    "runtime/predict": ("runtime/predict", "runtime/program"),
    "kernels/recursive": ("kernels",),
    "kernels/openblas": ("kernels",),
    "runtime/core": ("runtime",),
    "runtime/host": ("runtime",),
    "runtime/threads": ("runtime",),
    "runtime/transport": ("runtime",),
    "compiler/frontend": ("compiler",),
    "compiler/split": ("compiler",),
    "compiler/dependence": ("compiler",),
    "compiler/maps": ("compiler",),
    "compiler/specialize": ("compiler",),
}

# What every compilation of a .tla parses, and the headers of the standard library that are small enough for that:
# <string> alone doubles the time.
PARSED_BY_PROGRAMS = re.compile(
    r"dsl/include/tla/\w+\.hpp|kernels/include/tla/tla\.hpp|"
    r"kernels/include/tla/kernels/(kernels|blas|lu|qr|triangular)\.hpp")
SMALL = ("cstddef", "exception", "new")

Include = collections.namedtuple("Include", "path number header target")


def sources(root, tops):
    for top in tops:
        for path, folders, names in os.walk(os.path.join(root, top)):
            if "Inputs" in folders:
                folders.remove("Inputs")
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(path, name), root)


def read_includes(root):
    """All includes; target: the file of the project that is meant, or None."""
    own = set(sources(root, TOP))
    public = {path.split("/include/", 1)[1]: path for path in own if "/include/" in path}
    for path in sorted(own | set(sources(root, ("tests",)))):
        with open(os.path.join(root, path), encoding="utf-8") as source:
            for number, line in enumerate(source, 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                header = match.group(1)
                beside = os.path.normpath(os.path.join(os.path.dirname(path), header))
                target = next((each for each in (header, public.get(header), beside) if each in own), None)
                yield Include(path, number, header, target)


FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
HALLS = {room for room in FLOOR_OF if any(other.startswith(room + "/") for other in FLOOR_OF)}


def floor_of(path):
    """The room of a file, and the number of its floor. A room with rooms in it has the files that lie in itself."""
    folder = os.path.dirname(path)
    if folder in FLOOR_OF:
        return folder, FLOOR_OF[folder]
    while folder:
        folder = os.path.dirname(folder)
        if folder in FLOOR_OF and folder not in HALLS:
            return folder, FLOOR_OF[folder]
    return None, None


def foreign_error(include):
    for pattern, homes in HOMES.items():
        if re.match(pattern, include.header) and not any(include.path.startswith(home + "/") for home in homes):
            return f"<{include.header}> belongs to {', '.join(homes)}"
    return None


def room_error(include):
    if include.path.startswith("tests/") or include.target is None:
        return None
    room, floor = floor_of(include.path)
    other, below = floor_of(include.target)
    if room is None or other is None:
        return f"{os.path.dirname(include.path if room is None else include.target)} has no floor (FLOORS)"
    if room == other:
        return None
    if below >= floor:
        return f"{room} is not above {other}: \"{include.header}\" is an include upwards"
    if "/include/" in include.target:
        return None
    for closed, houses in INDOORS.items():
        if include.target.startswith(closed + "/") and not include.path.startswith(tuple(f"{house}/" for house in houses)):
            return f"\"{include.header}\" is private to {' and '.join(houses)}"
    name = os.path.splitext(os.path.relpath(include.target, other))[0]
    inner = INNER_DOORS.get(other, ()) if os.path.dirname(room) == os.path.dirname(other) else ()
    if other in DOORS and name not in DOORS[other] and name not in inner:
        return f"\"{include.header}\" is private to {other}"
    return None


def weight_error(include):
    if PARSED_BY_PROGRAMS.fullmatch(include.path) and include.target is None and include.header not in SMALL:
        return f"every program would parse <{include.header}>; small enough are {', '.join(SMALL)}"
    return None


def circle_errors(includes, depth):
    """One line for each circle among the folders that are `depth` deep, or less where they have no folders."""
    arrows = collections.defaultdict(dict)
    for each in includes:
        if each.target is None or each.path.startswith("tests/"):
            continue
        source, target = ("/".join(os.path.dirname(path).split("/")[:depth]) for path in (each.path, each.target))
        if source != target:
            arrows[source].setdefault(target, each)
    reported = set()
    for start in sorted(arrows):
        way = shortest_way_back(arrows, start)
        if way and frozenset(way) not in reported:
            reported.add(frozenset(way))
            steps = [arrows[a][b] for a, b in zip(way, way[1:] + way[:1])]
            yield f"a circle of folders: {' -> '.join(way + way[:1])} (" + ", ".join(
                f"{step.path}:{step.number}" for step in steps) + ")"


def shortest_way_back(arrows, start):
    before, queue = {start: None}, collections.deque([start])
    while queue:
        folder = queue.popleft()
        for target in sorted(arrows.get(folder, ())):
            if target == start:
                way = []
                while folder is not None:
                    way.append(folder)
                    folder = before[folder]
                return way[::-1]
            if target not in before:
                before[target] = folder
                queue.append(target)
    return None


def main():
    includes = list(read_includes(sys.argv[1]))
    errors = []
    for each in includes:
        for error in (foreign_error(each), room_error(each), weight_error(each)):
            if error:
                errors.append(f"{each.path}:{each.number}: {error}")
    for depth in range(1, 8):
        errors += [error for error in circle_errors(includes, depth) if error not in errors]
    print("".join(error + "\n" for error in errors), end="")
    files = len({each.path for each in includes})
    print(f"{files} files, {len(includes)} includes, {len(errors)} out of place")
    return 1 if errors or files == 0 else 0


sys.exit(main())
