// What each layer may import. Type-only imports count: a type is knowledge, too.
const layer = (name) => `^src/${name}/`;
const ours = "^src/";

/** A layer, our own layers it may import besides itself, and what it may take from outside. */
function rule(name, allowed, outside, comment) {
  const self = `^src/${name}/`;
  return [
    {
      name: `${name.replaceAll("/", "-")}-imports`,
      comment,
      severity: "error",
      from: { path: self },
      to: { path: ours, pathNot: [self, ...allowed.map(layer)] },
    },
    {
      name: `${name.replaceAll("/", "-")}-outside`,
      comment: `${comment} From outside it takes nothing but: ${outside.join(", ") || "nothing"}.`,
      severity: "error",
      from: { path: self },
      to: { pathNot: [ours, ...outside] },
    },
  ];
}

const builtIn = (...names) => names.map((name) => `^(node:)?${name}$`);
const package_ = (name) => `(^|/)node_modules/${name}/`;

module.exports = {
  forbidden: [
    ...rule("core", [], [], "Rules and types: no IO, no clock, no process."),
    ...rule("chat", ["core"], [], "Use cases over the store port."),
    ...rule(
      "store/sqlite",
      ["core"],
      ["^bun:sqlite$", "^bun$", ...builtIn("fs", "path")],
      "The one place that knows SQLite.",
    ),
    ...rule("delivery", ["core", "chat"], builtIn("fs", "path"), "Doorbell and poller."),
    ...rule("text", ["core"], [], "Every sentence a model or a person reads."),
    ...rule("tools", ["core", "chat", "text"], [package_("zod")], "Each tool once, for every host."),
    ...rule(
      "platform",
      ["core"],
      ["^bun$", ...builtIn("fs", "path", "os", "process", "child_process")],
      "What the machine and the environment say.",
    ),
    ...rule(
      "hosts/opencode",
      ["core", "chat", "store", "delivery", "text", "tools", "platform"],
      [package_("@opencode-ai/(plugin|sdk)"), ...builtIn("path")],
      "A host composes all layers, and no other host.",
    ),
    {
      name: "host-types-only",
      comment: "opencode's packages are there for their types: at run time the host is given, not imported.",
      severity: "error",
      from: { path: ours },
      to: { path: package_("@opencode-ai/(plugin|sdk)"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "source-stands-alone",
      comment: "Nothing that is shipped may need the tests, the bed, the demo or the scripts.",
      severity: "error",
      from: { path: ours },
      to: { path: "^(tests|testbed|demo|bench|scripts)/" },
    },
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "^bun(:sqlite)?$" } },
    {
      name: "no-orphan",
      comment: "A module that nothing imports is dead, unless it is an entry.",
      severity: "error",
      from: { orphan: true, pathNot: "^src/hosts/opencode/plugin\\.ts$" },
      to: {},
    },
  ],
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
