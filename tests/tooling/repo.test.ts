import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.ts";
import { withTree } from "./tree.ts";

/** What only the making of this project knew. Written in pieces, so that this file does not hold them itself. */
const foreign = [
  ["/wo", "rk/"],
  ["/tmp/", "brief"],
  ["../", "shared/"],
  ["/ro", "ot/"],
  ["desi", "gn.md"],
  ["bun-", "cost"],
  ["opencode-", "v1.md"],
  ["issues ", "show"],
  ["registry.", "npmjs"],
  ["arti", "factory"],
  ["//local", "host:4873"],
].map((pieces) => pieces.join(""));

/** The places in the files below a folder that hold one of the foreign words, as `path: word`. */
function foreignIn(folder: string): string[] {
  return filesOf(folder).flatMap((path) => {
    const content = readFileSync(join(folder, path));
    if (content.includes(0)) return [];
    const text = content.toString("utf8").toLowerCase();
    return foreign.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`);
  });
}

/** What git tracks or would track; without git, everything but what is installed, built or left behind by tools. */
function filesOf(folder: string): string[] {
  const listed = Bun.spawnSync(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: folder,
    stderr: "ignore",
  });
  const known = new Set(listed.success ? listed.stdout.toString().split("\0") : []);
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/(^|\/)(node_modules|dist|\.git)\//.test(path));
  return known.size > 1 ? present.filter((path) => known.has(path)) : present;
}

test("no file of the project speaks of the place where it was made", () => {
  expect(filesOf(root)).toContain("package.json");
  expect(filesOf(root).length).toBeGreaterThan(80);
  expect(foreignIn(root)).toEqual([]);
});

test("each foreign word is found, in text files alone", () => {
  const files = Object.fromEntries(foreign.map((word, index) => [`docs/${index}.md`, `See ${word}x.\n`]));
  withTree({ ...files, "docs/good.md": "Nothing.\n", "docs/picture.png": `\0${foreign[0]}` }, (folder) => {
    expect(foreignIn(folder).sort()).toEqual(foreign.map((word, index) => `docs/${index}.md: ${word}`).sort());
  });
});
