import { createScanner, findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import type { SourcePlace } from "../core/setup-report.ts";

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonPath = readonly (string | number)[];

export type JsonSource = { readonly root: Node | null } | { readonly malformed: SourcePlace };

/** Reads JSON with comments and trailing commas. `root` is null when the text holds nothing but space and comments. */
export function parseJson(text: string): JsonSource {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  const first = errors[0];
  return first === undefined ? { root: root ?? null } : { malformed: placeOf(text, first.offset) };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function placeOf(text: string, offset: number): SourcePlace {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

export function nodeAt(root: Node | null, path: JsonPath): Node | null {
  return root === null ? null : (findNodeAtLocation(root, [...path]) ?? null);
}

/** Adds a member as the last of an object (with a key) or of an array (key null). Every other byte stays as it is. */
export function insertLast(text: string, container: Node, key: string | null, value: Json): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1) ?? null;
  const from = last === null ? container.offset + 1 : last.offset + last.length;
  const gap = tokensBetween(text, from, close);
  const at = gap.at(-1)?.end ?? from;
  const trailing = gap.some(({ kind }) => kind === ",");
  const style = styleOf(text);
  const compact = (last !== null || style.unit === null) && !text.slice(container.offset, close).includes("\n");
  const indent = indentOfMembers(text, container, style.unit ?? "  ");
  const body = compact ? JSON.stringify(value) : spread(value, style, indent);
  const member = key === null ? body : `${JSON.stringify(key)}: ${body}`;
  let inserted = compact ? `${last === null ? "" : " "}${member}` : `${style.newline}${indent}${member}`;
  if (trailing) inserted += ",";
  if (!compact && last === null && !text.slice(at, close).includes("\n"))
    inserted += style.newline + indent.slice((style.unit ?? "  ").length);
  const comma = last !== null && !trailing ? "," : "";
  return text.slice(0, from) + comma + text.slice(from, at) + inserted + text.slice(at);
}

/** Takes a member (a property, or an element of an array) out: the inverse of {@link insertLast}. Comments stay. */
export function removeMember(text: string, container: Node, member: Node): string {
  const members = container.children ?? [];
  const index = members.indexOf(member);
  const before = members[index - 1] ?? null;
  const start = before === null ? container.offset + 1 : before.offset + before.length;
  const end = member.offset + member.length;
  const stop = members[index + 1]?.offset ?? container.offset + container.length - 1;
  const ahead = tokensBetween(text, start, member.offset);
  const comma = tokensBetween(text, end, stop).find(({ kind }) => kind === ",");
  const rest = comma === undefined ? text.slice(end) : text.slice(end, comma.end - 1) + text.slice(comma.end);
  const lead = ahead.at(-1);
  // What follows must not slip into a line comment.
  const keepsSpace = lead?.kind === "//" && !/^[ \t]*\r?\n/.test(rest);
  const cut = keepsSpace ? member.offset : (lead?.end ?? start);
  const head = text.slice(0, cut);
  const joint = ahead.find(({ kind }) => kind === ",");
  if (comma !== undefined || joint === undefined) return head + rest;
  return head.slice(0, joint.end - 1) + head.slice(joint.end) + rest;
}

type Token = { readonly kind: "," | "//" | "/*"; readonly end: number };

/** Commas and comments between two offsets that enclose no value. */
function tokensBetween(text: string, from: number, to: number): Token[] {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  const tokens: Token[] = [];
  for (scanner.scan(); scanner.getTokenOffset() < to; scanner.scan()) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    const token = text.slice(start, end);
    if (token === ",") tokens.push({ kind: ",", end });
    else if (token.startsWith("//")) tokens.push({ kind: "//", end });
    else if (token.startsWith("/*")) tokens.push({ kind: "/*", end });
  }
  return tokens;
}

type Style = { readonly newline: string; readonly unit: string | null };

/** How the file is laid out; `unit` is null when all of it stands in one line. */
function styleOf(text: string): Style {
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  const unit = /\n([ \t]+)["{[]/.exec(text)?.[1] ?? null;
  return { newline, unit: unit ?? (/[{[]\s*["{[\d]/.test(text) && !text.trim().includes("\n") ? null : "  ") };
}

function indentOfMembers(text: string, container: Node, unit: string): string {
  const first = container.children?.[0];
  const own = first === undefined ? null : /\n([ \t]*)$/.exec(text.slice(container.offset, first.offset));
  if (own !== null) return own[1] ?? "";
  let depth = 0;
  for (let node: Node | undefined = container; node !== undefined; node = node.parent)
    if (node.type === "object" || node.type === "array") depth += 1;
  return unit.repeat(depth);
}

function spread(value: Json, style: Style, indent: string): string {
  return JSON.stringify(value, null, style.unit ?? "  ").replaceAll("\n", style.newline + indent);
}
