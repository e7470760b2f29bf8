#!/bin/sh
# Installs Sheaf from the folder of this script: the program, man pages, completions and the guide.
#
#     ./install.sh [PREFIX]                by default /usr/local for root, and ~/.local for others
#     ./install.sh --uninstall [PREFIX]    removes all of it; your lists stay
set -eu
umask 022
cd "$(dirname "$0")"

action=install
if [ "${1:-}" = --uninstall ]; then
    action=uninstall
    shift
fi
if [ $# -gt 0 ]; then
    prefix=$1
elif [ "$(id -u)" -eq 0 ]; then
    prefix=/usr/local
else
    prefix=$HOME/.local
fi
case $prefix in
-* | '')
    echo 'usage: ./install.sh [--uninstall] [PREFIX]' >&2
    exit 64
    ;;
esac

find bin share -type f | while read -r file; do
    if [ "$action" = uninstall ]; then
        rm -f "$prefix/$file"
        continue
    fi
    mkdir -p "$prefix/${file%/*}"
    # Beside it and renamed, so that a program that runs is not written over.
    cp "$file" "$prefix/$file.new"
    mv -f "$prefix/$file.new" "$prefix/$file"
done
# Folders of other programs are not empty.
if [ "$action" = uninstall ]; then
    find share -mindepth 2 -depth -type d | while read -r folder; do
        rmdir "$prefix/$folder" 2>/dev/null || true
    done
    echo "Removed Sheaf from $prefix."
    exit
fi

echo "Installed Sheaf in $prefix."
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "Add $prefix/bin to PATH to start it as sheaf." ;;
esac
