import { getNodeValue, type Node } from "jsonc-parser";
import type { EntryFault } from "../core/setup-report.ts";
import { insertLast, type Json, type JsonPath, nodeAt, parseJson, removeMember } from "./json-source.ts";

/** Something the file shall hold: a property at `path`, or, with `element`, an element of the array at `path`. */
export type Entry = { readonly path: readonly string[]; readonly value: Json; readonly element: boolean };

/** What one host's settings shall hold. `isOurs` says whether a value found at a path came from some thatch. */
export type EntrySet = {
  readonly entries: readonly Entry[];
  readonly isOurs: (path: JsonPath, value: unknown) => boolean;
  /** Whether a person may have written the very same: then it is thatch's only where the text ahead of the setup lacks it. */
  readonly isShared?: (path: JsonPath) => boolean;
};

/** Entries that cannot be put into a text. */
export class EntryError extends Error {
  constructor(readonly fault: EntryFault) {
    super(JSON.stringify(fault));
    this.name = "EntryError";
  }
}

/** Whether the text holds all entries, each once, and no other entry of thatch. */
export function holdsEntries(text: string, set: EntrySet, before: string | null): boolean {
  const root = rootOf(text);
  const ours = oursIn(root, set, before === null ? null : rootOf(before));
  const fits = (entry: Entry, path: JsonPath, value: unknown) =>
    same(value, entry.value) && path.slice(0, entry.path.length).join("\n") === entry.path.join("\n");
  return (
    set.entries.every((entry) => isHeld(root, entry)) &&
    ours.length <= set.entries.length &&
    ours.every(({ path, node }) => set.entries.some((entry) => fits(entry, path, getNodeValue(node))))
  );
}

/** Adds the entries that are missing. Throws {@link EntryError} where something else stands in their place. */
export function addEntries(text: string, set: EntrySet): string {
  let result = rootOf(text) === null ? `${text}{}\n` : text;
  for (const entry of set.entries) if (!isHeld(rootOf(result), entry)) result = addEntry(result, entry);
  return result;
}

/** Takes out what is thatch's. Containers that this empties go, too, unless `before`, the text ahead of the setup, has them. */
export function removeEntries(text: string, set: EntrySet, before: string | null): string {
  const origin = before === null ? null : rootOf(before);
  let result = text;
  for (;;) {
    const found = oursIn(rootOf(result), set, origin)[0];
    if (found === undefined) return result;
    result = takeOut(result, found.path);
    for (let path = found.path.slice(0, -1); ; path = path.slice(0, -1)) {
      const node = nodeAt(rootOf(result), path);
      if (node === null || (node.children?.length ?? 0) > 0) break;
      const old = nodeAt(origin, path);
      if (old !== null && before !== null) {
        const isBlank = /^[[{]\s*[\]}]$/.test(result.slice(node.offset, node.offset + node.length));
        const asItWas = before.slice(old.offset, old.offset + old.length);
        if (isBlank && old.children?.length === 0)
          result = result.slice(0, node.offset) + asItWas + result.slice(node.offset + node.length);
        break;
      }
      if (path.length === 0) break;
      result = takeOut(result, path);
    }
  }
}

function addEntry(text: string, entry: Entry): string {
  const target = entry.element ? entry.path : entry.path.slice(0, -1);
  for (let depth = 0; depth <= target.length; depth += 1) {
    const path = target.slice(0, depth);
    const wanted = entry.element && depth === target.length ? "array" : "object";
    const node = nodeAt(rootOf(text), path);
    if (node !== null && node.type !== wanted)
      throw new EntryError({ code: "wrong-kind", path, wanted, found: node.type });
  }
  let parent = target;
  let missing: string[] = [];
  while (nodeAt(rootOf(text), parent) === null) {
    missing = [...parent.slice(-1), ...missing];
    parent = parent.slice(0, -1);
  }
  const container = nodeAt(rootOf(text), parent);
  if (container === null) throw new EntryError({ code: "wrong-kind", path: [], wanted: "object", found: "nothing" });
  const leaf = entry.element ? [] : entry.path.slice(-1);
  const keys = [...missing, ...leaf];
  const key = keys[0] ?? null;
  if (key !== null && nodeAt(container, [key]) !== null) throw new EntryError({ code: "taken", path: entry.path });
  const bottom: Json = entry.element && missing.length > 0 ? [entry.value] : entry.value;
  const value = keys.slice(1).reduceRight<Json>((inner, name) => ({ [name]: inner }), bottom);
  return insertLast(text, container, key, value);
}

function isHeld(root: Node | null, entry: Entry): boolean {
  const node = nodeAt(root, entry.path);
  if (node === null) return false;
  if (!entry.element) return same(getNodeValue(node), entry.value);
  return node.type === "array" && (node.children ?? []).some((child) => same(getNodeValue(child), entry.value));
}

type Found = { readonly path: JsonPath; readonly node: Node };

function oursIn(node: Node | null, set: EntrySet, origin: Node | null, path: JsonPath = []): Found[] {
  if (node === null) return [];
  const value: unknown = getNodeValue(node);
  if (set.isOurs(path, value) && !(set.isShared?.(path) && mayBeTheirs(origin, path, value))) return [{ path, node }];
  if (node.type === "array")
    return (node.children ?? []).flatMap((child, index) => oursIn(child, set, origin, [...path, index]));
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return value === undefined ? [] : oursIn(value, set, origin, [...path, String(key?.value)]);
  });
}

function mayBeTheirs(origin: Node | null, path: JsonPath, value: unknown): boolean {
  if (origin === null) return true;
  const siblings = nodeAt(origin, path.slice(0, -1))?.children ?? [];
  return siblings.some((sibling) => getNodeValue(sibling) === value);
}

function takeOut(text: string, path: JsonPath): string {
  const node = nodeAt(rootOf(text), path);
  const member = node?.parent?.type === "property" ? node.parent : node;
  const container = member?.parent;
  if (member === null || member === undefined || container === undefined) return text;
  return removeMember(text, container, member);
}

function rootOf(text: string): Node | null {
  const source = parseJson(text);
  if ("malformed" in source) throw new EntryError({ code: "malformed", place: source.malformed });
  return source.root;
}

function same(found: unknown, wanted: Json): boolean {
  return JSON.stringify(found) === JSON.stringify(wanted);
}
