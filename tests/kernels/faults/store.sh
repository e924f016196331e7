#!/usr/bin/env bash
# Compiles the kernels of this folder with nvcc, as they are and with -DFIXED, into stored/, for tests where there is no
# nvcc. Debug data are left out, and of the toolkit's headers only the names are kept.
#
# usage: store.sh      (in this folder)
set -eu
for file in *.cu; do
    for flag in FAULT FIXED; do
        nvcc -ptx -lineinfo -arch=sm_90a -D$flag "$file" -o - |
            sed -E -e '/^[[:space:]]*\.section/,$d' -e 's/function_name [^,]*, //' \
                -e "s|(\.file[[:space:]]+[0-9]+) \".*/$file\"|\1 \"$file\"|" \
                -e 's|(\.file[[:space:]]+[0-9]+) ".*/([^/]*)"|\1 "/include/cuda/\2"|' >"stored/${file%.cu}.$flag.ptx"
    done
done
