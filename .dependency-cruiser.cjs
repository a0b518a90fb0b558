// What each layer may import. Type-only imports count: a type is knowledge, too.
const ours = "^src/";
const any = "[^/]+";
const builtIn = (...names) => names.map((name) => `^(node:)?${name}$`);
const npm = (name) => `(^|/)node_modules/${name}/`;

/** A layer is a folder of src, the layers it may import besides itself, and what it may take from outside. */
const layers = [
  { name: "core", layers: [], outside: [], comment: "Rules and types: no IO, no clock, no process." },
  { name: "chat", layers: ["core"], outside: [], comment: "Use cases over the store port." },
  {
    name: "store/sqlite",
    layers: ["core"],
    outside: ["^bun:sqlite$", ...builtIn("fs", "path")],
    comment: "The one place that knows SQLite.",
  },
  { name: "delivery", layers: ["core", "chat"], outside: builtIn("fs", "path"), comment: "Doorbell and poller." },
  { name: "text", layers: ["core"], outside: [], comment: "Every sentence a model or a person reads." },
  {
    name: "tools",
    layers: ["core", "chat", "text"],
    outside: [npm("zod")],
    comment: "Each tool once, for every host.",
  },
  {
    name: "platform",
    layers: ["core"],
    outside: [
      ...builtIn("fs", "path", "os", "process", "child_process"),
      "^bun(:ffi)?$",
      npm("@types/bun"),
      npm("bun-types"),
    ],
    comment: "What the machine and the environment say.",
  },
  {
    name: "hosts/opencode",
    layers: ["core", "chat", `store/${any}`, "delivery", "text", "tools", "platform"],
    outside: [npm("@opencode-ai/(plugin|sdk)"), ...builtIn("path")],
    comment: "A host composes all layers, and knows no other host.",
  },
  {
    name: "hook-host",
    layers: ["core", "chat", `store/${any}`, "text", "platform"],
    outside: builtIn("path"),
    comment: "What the hosts share that call by hooks.",
  },
  {
    name: "hosts/claude-code",
    layers: ["core", "chat", `store/${any}`, "delivery", "text", "tools", "platform", "hook-host"],
    outside: builtIn("fs", "path"),
    comment: "The hooks of Claude Code.",
  },
  {
    name: "hosts/mcp",
    layers: ["core", "chat", `store/${any}`, "delivery", "text", "tools", "platform"],
    // The manifest names the version.
    outside: [npm("@modelcontextprotocol/server"), ...builtIn("fs", "path"), "^package\\.json$"],
    comment: "The server for any MCP client.",
  },
  {
    name: "hook",
    layers: ["platform", "hook-host", `hosts/${any}`],
    outside: [],
    comment: "The entry of the hooks: no package may be reached from it.",
  },
  {
    name: "cli",
    layers: ["core", "chat", `store/${any}`, "delivery", "text", "tools", "platform", `hosts/${any}`, "hook", "setup"],
    outside: [npm("@stricli/core"), npm("re2js"), ...builtIn("fs", "path", "url", "tty")],
    comment: "The command line composes all layers.",
  },
  {
    name: "setup",
    layers: ["core", "chat", `store/${any}`, "delivery", "text", "tools", "platform", `hosts/${any}`],
    outside: [npm("jsonc-parser"), npm("zod"), ...builtIn("fs", "path")],
    comment: "Writes the settings of the hosts.",
  },
];
const folder = (name) => `^src/${name}/`;
const known = layers.map(({ name }) => folder(name));
const error = "error";

const layerRules = layers.flatMap(({ name, layers: allowed, outside, comment }) => {
  const rule = name.replaceAll("/", "-");
  const from = { path: folder(name) };
  return [
    {
      name: `${rule}-imports`,
      comment: `${comment} Of the other layers it may import: ${allowed.join(", ") || "none"}.`,
      severity: error,
      from,
      to: { path: ours, pathNot: [folder(name), ...allowed.map(folder)] },
    },
    {
      name: `${rule}-outside`,
      comment: `${comment} From outside it may take: ${outside.join(", ") || "nothing"}.`,
      severity: error,
      from,
      to: { pathNot: [ours, ...outside] },
    },
  ];
});

const generalRules = [
  {
    name: "hosts-apart",
    comment: "What two hosts share belongs into a layer below them.",
    severity: error,
    from: { path: "^src/hosts/([^/]+)/" },
    to: { path: "^src/hosts/", pathNot: "^src/hosts/$1/" },
  },
  {
    name: "known-layer-from",
    comment: "A folder of src without a rule of its own may import nothing: write its rule first.",
    severity: error,
    from: { path: ours, pathNot: known },
    to: {},
  },
  {
    name: "known-layer-to",
    comment: "A folder of src without a rule of its own may not be imported: write its rule first.",
    severity: error,
    from: {},
    to: { path: ours, pathNot: known },
  },
  {
    name: "sqlite-in-its-store",
    comment: "Another store must be able to take this one's place.",
    severity: error,
    from: { path: ours, pathNot: "^src/store/sqlite/" },
    to: { path: "^(bun|node):sqlite$" },
  },
  {
    name: "host-types-only",
    comment: "opencode's packages are there for their types: at run time the host is given, not imported.",
    severity: error,
    from: { path: ours },
    to: { path: npm("@opencode-ai/(plugin|sdk)"), dependencyTypesNot: ["type-only"] },
  },
  {
    name: "source-stands-alone",
    comment: "Nothing that is shipped may need the tests, the bed, the demo or the scripts.",
    severity: error,
    from: { path: ours },
    to: { path: "^(tests|testbed|demo|bench|scripts)/" },
  },
  { name: "no-cycle", severity: error, from: {}, to: { circular: true } },
  { name: "resolvable", severity: error, from: {}, to: { couldNotResolve: true, pathNot: "^bun(:sqlite|:ffi)?$" } },
  {
    name: "no-orphan",
    comment: "A module that imports nothing and that nothing imports is dead.",
    severity: error,
    from: { orphan: true, path: ours },
    to: {},
  },
];

module.exports = {
  forbidden: [...layerRules, ...generalRules],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".d.ts"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
