#!/usr/bin/env bash
# Debian packages and a relocatable archive from what was built (docs/decisions/0030-packages-by-script.md).
#
#   package.sh BUILD_FOLDER OUT_FOLDER
#
#   sarrus_VERSION_ARCH.deb         program, examples, pages, manual pages, completion
#   libsarrus-dev_VERSION_ARCH.deb  headers, static library, files for find_package and pkg-config
#   python3-sarrus_VERSION_ARCH.deb  import sarrus, for Debian's own Python; where it was built
#   sarrus-VERSION-cpXY-cpXY-linux_ARCH.whl  the same for pip, with the libraries it needs
#   sarrus-VERSION-linux-ARCH.tar.xz  the program with the libraries it needs but those of glibc; runs from any folder
set -euo pipefail
export LC_ALL=C.UTF-8

build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
arch=$(dpkg --print-architecture)
date=$(date -R -d "@${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}")
maintainer="${DEBFULLNAME:-The Sarrus authors} <${DEBEMAIL:-sarrus@example.org}>"
stage=$(mktemp -d "${TMPDIR:-/tmp}/sarrus-package-XXXXXX")
trap 'rm -rf "$stage"' EXIT
umask 022

install_component() { cmake --install "$build" --prefix "$2" --component "$1" >/dev/null; }

# The packages whose shared libraries a program needs, with their versions.
library_packages() {
  mkdir -p "$stage/shlibs/debian"
  printf 'Source: sarrus\n\nPackage: sarrus\nArchitecture: any\n' >"$stage/shlibs/debian/control"
  (cd "$stage/shlibs" && dpkg-shlibdeps -O -e"$1" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# The development packages whose libraries a user of the static library links.
development_packages() {
  local libraries=() library
  mapfile -t libraries < <(grep -oh '/[^;">]*\.so' "$1"/cmake/Sarrus/*.cmake | sort -u)
  { echo libfmt-dev
    echo libtinyxml2-dev
    for library in "${libraries[@]}"; do dpkg -S "$library" 2>/dev/null | sed 's/:.*//' | grep -e '-dev$' || true; done
  } | sort -u | paste -sd, | sed 's/,/, /g'
}

# documents PACKAGE FOLDER: what Debian asks of every package.
documents() {
  local doc=$2/usr/share/doc/$1
  mkdir -p "$doc"
  { printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Sarrus\n\n'
    printf 'Files: *\nCopyright: 2026, The Sarrus authors\nLicense: BSD-3-Clause\n'
    sed -n '/^Redistribution/,$p' "$root/LICENSE" | sed 's/^$/./; s/^/ /'
  } >"$doc/copyright"
  printf 'sarrus (%s) unstable; urgency=medium\n\n  * Release %s; what changed is in CHANGELOG.md of the package sarrus.\n\n -- %s  %s\n' \
    "$version" "$version" "$maintainer" "$date" | gzip -9n >"$doc/changelog.gz"
}

# control PACKAGE FOLDER SECTION DEPENDS SUMMARY TEXT
control() {
  mkdir -p "$2/DEBIAN"
  printf 'Package: %s\nSource: sarrus\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nSection: %s\nPriority: optional\nDepends: %s\nInstalled-Size: %s\nDescription: %s\n%s\n' \
    "$1" "$version" "$arch" "$maintainer" "$3" "$4" "$(du -sk --exclude=DEBIAN "$2" | cut -f1)" "$5" "$6" >"$2/DEBIAN/control"
  (cd "$2" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) >"$2/DEBIAN/md5sums"
  find "$2" -type d -exec chmod 755 {} + -o -type f ! -path '*/bin/*' -exec chmod 644 {} +
  dpkg-deb --root-owner-group -Zxz -z1 --build "$2" "$out" >/dev/null
}

package_program() {
  local to=$stage/sarrus
  install_component program "$to/usr"
  strip --strip-unneeded -R .comment -R .note "$to/usr/bin/sarrus"
  gzip -9n "$to"/usr/share/man/man1/*.1
  rm -f "$to/usr/share/doc/sarrus/LICENSE"  # stands in copyright
  documents sarrus "$to"
  control sarrus "$to" science "$(library_packages "$to/usr/bin/sarrus")" 'multibody dynamics in several formulations' \
    ' Sarrus simulates mechanisms of rigid and elastic bodies, with closed loops,
 contact and control, from a description in a text file, and shows them in a
 browser. One model runs in several independent formulations, and Sarrus says
 how far their results agree.'
}

package_development() {
  local to=$stage/libsarrus-dev
  install_component development "$to/usr"
  strip --strip-debug "$to/usr/lib/libsarrus.a"
  # it names libraries of this architecture
  local triplet
  triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
  mkdir -p "$to/usr/lib/$triplet"
  mv "$to/usr/lib/pkgconfig" "$to/usr/lib/$triplet/"
  sed -i 's|^prefix=${pcfiledir}/../..$|prefix=${pcfiledir}/../../..|' "$to/usr/lib/$triplet/pkgconfig/sarrus.pc"
  documents libsarrus-dev "$to"
  control libsarrus-dev "$to" libdevel "$(development_packages "$to/usr/lib")" 'multibody dynamics in several formulations - development' \
    ' Headers and the static library of Sarrus, with the files by which CMake
 (find_package(Sarrus)) and pkg-config find them.'
}

# Shared libraries go along, but those of glibc, which must fit the kernel and each other.
bundle_libraries() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
    grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|ld-linux[^/]*)\.so' |
    while read -r library; do cp -L "$library" "$2/"; done
  chmod 755 "$2"/*
}

# What glibc a set of files needs: the highest of the versions of its symbols.
glibc_of() { objdump -T "$@" 2>/dev/null | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1 | sed 's/GLIBC_//'; }

archive() {
  local name=sarrus-$version-linux-$(uname -m)
  local to=$stage/$name
  install_component program "$to"
  mkdir -p "$to/lib/sarrus"
  strip --strip-unneeded "$to/bin/sarrus"
  bundle_libraries "$to/bin/sarrus" "$to/lib/sarrus"
  # also for what the libraries need of each other, hence no RUNPATH
  patchelf --force-rpath --set-rpath '$ORIGIN/../lib/sarrus' "$to/bin/sarrus"
  local glibc
  glibc=$(glibc_of "$to/bin/sarrus" "$to"/lib/sarrus/*)
  { printf 'Sarrus %s for Linux on %s, glibc %s or newer.\n\nbin/sarrus runs from whatever folder this is put in.\n\n' \
      "$version" "$(uname -m)" "$glibc"
    printf 'lib/sarrus holds the shared libraries that it was linked with, unchanged, as Debian packages them;\neach may be replaced by another build of the same version. They come from:\n\n'
    for library in "$to"/lib/sarrus/*; do
      dpkg -S "*/${library##*/}" 2>/dev/null | sed 's/:.*//' | head -n 1
    done | sort -u | sed 's/^/  /'
  } >"$to/README.txt"
  cp "$root/LICENSE" "$to/LICENSE"
  tar -C "$stage" --owner=0 --group=0 --sort=name --mtime="$date" -c "$name" | xz -1 -T0 >"$out/$name.tar.xz"
  echo "$name.tar.xz needs glibc $glibc or newer"
}

# The module that `import sarrus` loads; empty where it was not built.
python_module() { find "$build/python/sarrus" -name '_sarrus.*.so' 2>/dev/null | head -n 1; }

package_python() {
  local to=$stage/python3-sarrus module
  local package=$to/usr/lib/python3/dist-packages/sarrus
  module=$(python_module)
  mkdir -p "$package"
  cp "$build"/python/sarrus/*.py "$build"/python/sarrus/*.pyi "$build/python/sarrus/py.typed" "$module" "$package/"
  strip --strip-unneeded -R .comment -R .note "$package/${module##*/}"
  # a path to libraries of the build, which Debian's loader finds without it
  if command -v patchelf >/dev/null; then patchelf --remove-rpath "$package/${module##*/}"; fi
  documents python3-sarrus "$to"
  local version_of_python next
  version_of_python=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  next=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % (sys.version_info[0], sys.version_info[1] + 1))')
  control python3-sarrus "$to" python \
    "$(library_packages "$package/${module##*/}"), python3 (>= $version_of_python), python3 (<< $next), python3-numpy" \
    'multibody dynamics in several formulations - Python' \
    ' The library of Sarrus for Python: models built in code or read from files,
 runs as numpy arrays, simulations step by step, dynamics with exact
 derivatives, and analyses.'
}

wheel() {
  local libraries=$stage/libraries
  mkdir -p "$libraries"
  bundle_libraries "$(python_module)" "$libraries"
  rm -f "$libraries"/libpython*
  /usr/bin/python3 "$root/scripts/wheel.py" "$build" "$out" "$version" "$libraries"
}

package_program
package_development
if command -v patchelf >/dev/null; then archive; else echo 'no archive: patchelf is not installed'; fi
if [[ -n $(python_module) ]]; then
  package_python
  if command -v patchelf >/dev/null; then wheel; fi
else
  echo 'no Python package: it was not built'
fi
(cd "$out" && ls -1s --block-size=kB -- *"$version"*)
