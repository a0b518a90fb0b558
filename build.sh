node_modules/.bin/bun build src/hosts/opencode/plugin.ts --target=bun --outfile=dist/opencode.js
