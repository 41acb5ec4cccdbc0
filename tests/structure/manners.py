#!/usr/bin/env python3
"""A15: the library has manners. It calls nothing that ends the process, prints, or changes what belongs
to the program that uses it: signal handlers, locale, working folder, rounding, environment.

    manners.py LIBRARY
"""
import re
import subprocess
import sys

forbidden = """exit _exit _Exit quick_exit abort printf puts putchar vprintf perror setlocale signal sigaction chdir
fesetround fesetenv feenableexcept system popen dlopen putenv setenv srand rand std::cout std::cerr std::clog
std::locale::global""".split()
listed = subprocess.run(["nm", "-C", "-u", sys.argv[1]], capture_output=True, text=True, check=True).stdout
used = {re.sub(r"[@(].*", "", line.split(None, 1)[1]).strip() for line in listed.splitlines() if line.strip().startswith("U ")}
found = sorted(used.intersection(forbidden))
print("\n".join(f"{sys.argv[1]} uses {name}" for name in found) or f"{len(used)} outside symbols, none of them forbidden")
sys.exit(bool(found) or len(used) < 50)
