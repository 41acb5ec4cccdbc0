#!/usr/bin/env python3
"""A wheel from the package that was built: pip installs it without a compiler and without a network.

    wheel.py BUILD_FOLDER OUT_FOLDER VERSION LIBRARIES_FOLDER

LIBRARIES_FOLDER holds the shared libraries that go along; the module finds them beside the package.
"""
import base64
import hashlib
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import zipfile


def main():
    build, out, version, libraries = (pathlib.Path(a) if i != 2 else a for i, a in enumerate(sys.argv[1:]))
    package = build / "python/sarrus"
    module, = package.glob("_sarrus.*.so")
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"sarrus-{version}.dist-info"
    files = {f"sarrus/{p.name}": p.read_bytes() for p in sorted(package.iterdir())
             if p.suffix in (".py", ".pyi") or p.name == "py.typed"}
    with tempfile.TemporaryDirectory() as name:
        own = pathlib.Path(name) / module.name
        own.write_bytes(module.read_bytes())
        subprocess.run(["strip", "--strip-unneeded", own], check=True)
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../sarrus.libs", own], check=True)
        files[f"sarrus/{module.name}"] = own.read_bytes()
    for library in sorted(libraries.iterdir()):
        files[f"sarrus.libs/{library.name}"] = library.read_bytes()
    files[f"{info}/LICENSE"] = (pathlib.Path(__file__).parents[1] / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: sarrus\nVersion: {version}\nSummary: Multibody dynamics in several formulations\n"
        f"License: BSD-3-Clause\nRequires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*\n"
        "Requires-Dist: numpy\nProvides-Extra: all\n"
        "Requires-Dist: scipy; extra == 'all'\nRequires-Dist: pandas; extra == 'all'\n"
        "Requires-Dist: matplotlib; extra == 'all'\n").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: sarrus\nRoot-Is-Purelib: false\nTag: {tag}-{tag}-{platform}\n".encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    path = out / f"sarrus-{version}-{tag}-{tag}-{platform}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))  # one input gives one file
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    print(path.name)


main()
