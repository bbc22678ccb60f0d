#!/bin/sh
# Starts a sandbox on this machine at http://localhost:8080, or brings it to the version of this checkout. It needs Docker
# with Compose 2.24 or later. Shipments are possible when it ends.
set -eu
cd "$(dirname "$0")/.."
umask 077
version=$(git describe --always --dirty 2>/dev/null || echo checkout)
docker build --tag mirsal:sandbox --file deploy/Dockerfile --build-arg VERSION="$version" .
# The keys are made once. With others nobody can read what is stored.
[ -s deploy/.env ] || {
  docker run --rm mirsal:sandbox node scripts/operate/sandbox.ts settings >deploy/.env.new
  mv deploy/.env.new deploy/.env
}
compose() {
  docker compose --file deploy/compose.yaml "$@"
}
compose up --detach --wait
compose exec -T service node scripts/operate/sandbox.ts stock --base http://nginx:8080
