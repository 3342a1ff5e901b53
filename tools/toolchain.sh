#!/usr/bin/env bash
# Brings the Emscripten of toolchain.lock; the last line of stdout is the path of its emcc.
#
#   tools/toolchain.sh [--unlocked]
#
# On Debian 12 and 13 every program comes from Debian 13 packages, checked against Debian's archive
# keys, and runs on the C library unpacked beside it. So both systems run the same compiler, the
# system's packages and apt configuration stay as they are, and root is needed only where python3 or
# the keyring is missing. The prefix lies in a cache,
# ${ATTN_TOOLCHAIN:-${XDG_CACHE_HOME:-~/.cache}/attn-toolchain}, and can be moved: it holds no
# absolute path. Elsewhere an emcc of the locked version is taken from PATH. EMCC, if set, decides.
#
# Where Debian's mirrors no longer have a locked version the exit status is 3, and --unlocked takes
# what there is. ATTN_DEBIAN_MIRROR names another mirror, say a dated one with the locked versions.

set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lock=$here/../toolchain.lock
unlocked=
archive_key=/usr/share/keyrings/debian-archive-keyring.gpg

say() { printf 'toolchain: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# locked NAME: the version that toolchain.lock gives to a package.
locked() { awk -v name="$1" '$1 == name { print $2 }' "$lock"; }

emcc_version() {
    "$1" --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\).*/\1/p'
}

# The relaxed SIMD opcodes are final since 3.1.60.
is_recent() {
    local major minor patch
    IFS=. read -r major minor patch <<<"$1"
    ((major * 1000000 + minor * 1000 + patch >= 3001060))
}

# use_own_emcc COMMAND ORIGIN: prints the path of an emcc not ours, if its version will do.
use_own_emcc() {
    local path version
    path=$(command -v "$1") || fail "$2 is '$1', which is not a program that can be run."
    path=$(cd "$(dirname "$path")" && pwd)/$(basename "$path")
    version=$(emcc_version "$path" || true)
    [[ -n $version ]] || fail "$2 is $path, which does not answer --version as Emscripten does."
    if [[ -z $unlocked && $version != "$wanted" ]]; then
        fail "$2 is Emscripten $version ($path), but toolchain.lock asks for $wanted."
    elif ! is_recent "$version"; then
        fail "$2 is Emscripten $version ($path), but 3.1.60 or newer is needed."
    fi
    say "using $path ($version); only the locked packages promise the same bytes as dist/."
    printf '%s\n' "$path"
}

is_debian() {
    [[ -r /etc/os-release ]] || return 1
    # shellcheck source=/dev/null
    [[ $(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}") =~ ^debian\ (12|13)$ ]]
}

# The full python3: python3-minimal lacks modules that emcc imports.
install_missing() {
    local missing=() as_root=() install=()
    python3 -c 'import json, multiprocessing' 2>/dev/null || missing+=(python3)
    [[ -r $archive_key ]] || missing+=(debian-archive-keyring)
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "missing ${missing[*]}: install by apt-get as root."
        as_root=(sudo)
    fi
    say "installing ${missing[*]} by apt"
    install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
        apt-get -qq -y --no-install-recommends install "${missing[@]}")
    if ! "${install[@]}" >>"$log" 2>&1; then
        "${as_root[@]}" apt-get -qq update >>"$log" 2>&1 || true
        "${install[@]}" >>"$log" 2>&1 || fail_with_log "apt-get could not install ${missing[*]}."
    fi
}

fail_with_log() {
    tail -n 20 "$log" >&2
    fail "$*"
}

# The mirrors of the system as apt itself reads them, whatever the format of its sources.
mirrors() {
    if [[ -n ${ATTN_DEBIAN_MIRROR:-} ]]; then
        printf '%s\n' "${ATTN_DEBIAN_MIRROR%/}"
        return
    fi
    {
        apt-get update --print-uris 2>/dev/null |
            sed -n "s|^'\(.*[^/]\)/*/dists/[a-z]*/InRelease'.*|\1|p" || true
        echo http://deb.debian.org/debian
    } | awk '!seen[$0]++'
}

# A configuration of apt with nothing of the system's but its proxies and credentials.
configure_apt() {
    mkdir -p "$build/apt/lists/partial" "$build/apt/archives/partial"
    : >"$build/apt/status"
    cat >"$build/apt/conf" <<EOF
Dir::Etc::SourceList "$build/apt/sources.list";
Dir::Etc::SourceParts "-";
Dir::Etc::Preferences "-";
Dir::Etc::PreferencesParts "-";
Dir::State::Lists "$build/apt/lists";
Dir::State::status "$build/apt/status";
Dir::Cache "$build/apt";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Update::Error-Mode "any";
APT::Sandbox::User "$(id -un)";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
EOF
}

private_apt() { local program=$1; shift; "$program" -c "$build/apt/conf" -qq "$@"; }

# resolve MIRROR: fills `packages` with what to download. Status 1: no answer; 3: other versions.
resolve() {
    local name version offered moved=()
    echo "deb [signed-by=$archive_key target=Packages] $1 trixie main" >"$build/apt/sources.list"
    private_apt apt-get update >>"$log" 2>&1 || return 1
    packages=()
    while read -r name version; do
        offered=$(private_apt apt-cache show "$name" 2>/dev/null | sed -n 's/^Version: //p' || true)
        if [[ $version == '*' && -n $offered ]]; then
            packages+=("$name")
        elif grep -qxF -- "$version" <<<"$offered"; then
            packages+=("$name=$version")
        elif [[ -n $unlocked && -n $offered ]]; then
            packages+=("$name")
        else
            moved+=("$name $version (offered: ${offered:-none})")
        fi
    done < <(grep -v '^#' "$lock")
    ((${#moved[@]})) || return 0
    printf -v difference '%s, ' "${moved[@]}"
    difference="$1 no longer has what toolchain.lock asks for: ${difference%, }."
    return 3
}

choose_mirror() {
    local mirror status difference=
    while read -r mirror; do
        status=0
        resolve "$mirror" || status=$?
        ((status)) || { chosen=$mirror; return; }
    done < <(mirrors)
    if [[ -n $difference ]]; then
        say "$difference"
        exit 3
    fi
    fail_with_log 'no mirror answered with a signed index of Debian 13; is the network up?'
}

# Sanitizer, thread and LTO variants of the libraries are 1.2 GB and never linked.
unpack() {
    local package
    mkdir "$build/prefix" "$build/prefix/root"
    for package in "$build"/debs/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --no-same-owner -C "$build/prefix/root" \
            --exclude='*/wasm32-emscripten/lto*' --exclude='*/wasm32-emscripten/pic' \
            --exclude='*-asan*.a' --exclude='*-mt*.a' --exclude='*-ww*.a' \
            --exclude='./usr/share/doc' --exclude='./usr/share/man'
    done
}

# wrap NAME PROGRAM [ARGUMENT]: starts a program of the prefix on the C library of the prefix.
wrap() {
    cat >"$build/prefix/bin/$1" <<EOF
#!/bin/sh
root="\${0%/*}/../root"
lib=$lib
exec "\$root/\$lib/$loader" --library-path "\$root/\$lib" --argv0 "\$0" "\$root/usr/$2" ${3:-} "\$@"
EOF
    chmod +x "$build/prefix/bin/$1"
}

# Started through the loader, clang cannot find its own headers: it looks beside the loader.
write_wrappers() {
    local path lib loader program
    local headers="-resource-dir \"\$root/usr/lib/llvm-19/lib/clang/19\""
    path=$(cd "$build/prefix/root" && echo usr/lib/*-linux-gnu/ld-linux-*.so.*)
    lib=${path%/*} loader=${path##*/}
    mkdir "$build/prefix/bin"
    wrap clang lib/llvm-19/bin/clang "$headers"
    wrap clang++ lib/llvm-19/bin/clang++ "$headers"
    for program in wasm-ld llvm-ar llvm-nm llvm-objcopy llvm-ranlib llvm-strip; do
        wrap "$program" "lib/llvm-19/bin/$program"
    done
    for program in wasm-opt wasm-emscripten-finalize wasm-metadce wasm-dis wasm2js; do
        wrap "$program" "bin/$program"
    done
    cat >"$build/prefix/emscripten.config" <<'EOF'
import os
PREFIX = os.path.dirname(os.environ['EM_CONFIG'])
LLVM_ROOT = os.path.join(PREFIX, 'bin')
BINARYEN_ROOT = PREFIX
NODE_JS = 'node'
FROZEN_CACHE = True
EOF
    cat >"$build/prefix/emcc" <<'EOF'
#!/bin/sh
prefix=$(cd "${0%/*}" && pwd)
unset EM_BINARYEN_ROOT EM_CACHE EM_CLANG_ADD_VERSION EM_COMPILER_WRAPPER EM_FROZEN_CACHE
unset EM_LLVM_ADD_VERSION EM_LLVM_ROOT EM_NODE_JS EM_PORTS _EMCC_CCACHE
export EM_CONFIG="$prefix/emscripten.config"
exec "$prefix/root/usr/share/emscripten/emcc" "$@"
EOF
    chmod +x "$build/prefix/emcc"
}

# The prefix takes its place only after it has compiled and linked something.
try_out() {
    echo '__attribute__((export_name("f"))) int f(int x) { return x + 1; }' >"$build/try.c"
    "$build/prefix/emcc" -O1 --no-entry -sSTANDALONE_WASM "$build/try.c" -o "$build/try.wasm" \
        >>"$log" 2>&1 || fail_with_log 'the unpacked Emscripten does not compile.'
}

build_prefix() {
    local chosen packages
    rm -rf "$build"
    mkdir -p "$build/debs"
    trap 'rm -rf "$build"' EXIT
    log=$build/log
    install_missing
    configure_apt
    choose_mirror
    say "fetching Emscripten from $chosen into $prefix (once; loads 320 MB, keeps 520 MB)"
    (cd "$build/debs" && private_apt apt-get download "${packages[@]}") >>"$log" 2>&1 ||
        fail_with_log "the download from $chosen failed."
    unpack
    write_wrappers
    try_out
    (cd "$build/debs" && ls) >"$build/prefix/packages.txt"
    mv "$build/prefix" "$prefix"
}

case "$*" in
    '') ;;
    --unlocked) unlocked=1 ;;
    *) fail "unknown arguments '$*'; expected nothing or --unlocked." ;;
esac
wanted=$(locked emscripten)
wanted=${wanted%%[+-]*}

if [[ -n ${EMCC:-} ]]; then
    use_own_emcc "$EMCC" EMCC
elif is_debian; then
    command -v node >/dev/null || fail 'no node in PATH: emcc needs Node.js 20 or newer.'
    cache=${ATTN_TOOLCHAIN:-${XDG_CACHE_HOME:-$HOME/.cache}/attn-toolchain}
    key=$wanted-$(cat "$lock" "${BASH_SOURCE[0]}" | sha256sum | cut -c1-12)${unlocked:+-unlocked}
    mkdir -p "$cache" || fail "the cache $cache cannot be made; ATTN_TOOLCHAIN can name another."
    cache=$(cd "$cache" && pwd)
    prefix=$cache/$key
    if [[ ! -x $prefix/emcc ]]; then
        build=$cache/.build-$key
        exec 9>"$cache/.lock-$key"
        flock 9
        [[ -x $prefix/emcc ]] || build_prefix
    fi
    printf '%s\n' "$prefix/emcc"
elif command -v emcc >/dev/null; then
    use_own_emcc emcc 'the emcc in PATH'
else
    fail "this system is neither Debian 12 nor 13: install Emscripten $wanted (from emsdk, your" \
        'distribution or brew) and put its emcc into PATH or name it in EMCC.'
fi
