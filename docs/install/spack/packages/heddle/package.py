# Recipe for Spack 0.23 or newer; how it is used: docs/install/README.md
from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage  # Spack 1.0; before, spack.package has it
except ImportError:
    pass


class Heddle(CMakePackage):
    """Finds wait states of MPI and OpenMP programs, from OTF2 trace archives: root causes, critical path."""

    # Built from a checkout or an unpacked archive of the sources: spack develop --path FOLDER heddle@0.2.0
    version("0.2.0")

    license("BSD-3-Clause")

    variant("pictures", default=True, description="pictures of topologies, PNG and SVG")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi")
    depends_on("otf2@3.0:")
    depends_on("hwloc@2")
    depends_on("zlib-api")
    depends_on("expat")
    depends_on("cairo@1.16: +png +svg", when="+pictures")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("HEDDLE_MPI", "any"),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define_from_variant("HEDDLE_PICTURES", "pictures"),
            self.define("BUILD_TESTING", self.run_tests),
        ]
