import type { ChatStore } from "../../core/store.ts";
import { Access } from "./access.ts";
import { createCommitProbe } from "./commit-probe.ts";
import * as feed from "./feed.ts";
import * as identity from "./identity.ts";
import * as messages from "./messages.ts";
import { prune } from "./prune.ts";
import * as sessions from "./sessions.ts";
import * as wakes from "./wakes.ts";

/** The longest that one attempt may block the event loop of a host, whatever is asked for. */
const LONGEST_BUSY_MS = 50;

/** A notice is asked for under every tool result, and the turn waits for it: the next result is soon enough. */
const NOTICE_PATIENCE_MS = 100;

export interface SqliteStoreOptions {
  /** Created at the first operation, with its folder, when it is missing. */
  readonly file: string;
  /** How long one attempt may block the event loop: 10 ms unless given, at most 50. */
  readonly busyMs?: number;
  /** How long an operation tries again while other processes hold the lock: 5000 ms unless given. */
  readonly patienceMs?: number;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Milliseconds of any steady clock; only waiting is measured with it. */
  readonly now?: () => number;
}

/**
 * The chat store in one SQLite file. Creating it touches nothing and cannot fail: the first operation opens the file, and
 * so does the first after a failure. The file is never replaced or deleted.
 */
export function createSqliteStore(options: SqliteStoreOptions): ChatStore {
  const { file, patienceMs = 5000, sleep = pause, now = () => performance.now() } = options;
  const busyMs = Math.min(options.busyMs ?? 10, LONGEST_BUSY_MS);
  const access = new Access({ file, patienceMs, sleep, now }, busyMs);

  return {
    register: (session, how) => access.write((connection) => sessions.register(connection, session, how)),
    leave: (sessionId, at) => access.write((connection) => sessions.leave(connection, sessionId, at)),
    find: (idOrName) => access.read((connection) => sessions.find(connection, idOrName)),
    startingWith: (start) => access.read((connection) => sessions.startingWith(connection, start)),
    wasAssigned: (name) => access.read((connection) => sessions.wasAssigned(connection, name)),
    roster: () => access.read(sessions.roster),
    beat: (beat) => access.write((connection) => sessions.beat(connection, beat)),
    signOfLife: (sessionId, sign) => access.write((connection) => identity.signOfLife(connection, sessionId, sign)),
    anchor: (process, sessionId, at) =>
      access.write((connection) => identity.anchor(connection, process, sessionId, at)),
    anchored: (process) => access.read((connection) => identity.anchored(connection, process)),
    continueSession: (fromId, toId) => access.write((connection) => identity.continueSession(connection, fromId, toId)),
    setBusy: (sessionId, busyUntil) => access.write((connection) => sessions.setBusy(connection, sessionId, busyUntil)),
    setTopic: (sessionId, topic) => access.write((connection) => sessions.setTopic(connection, sessionId, topic)),

    send: (message) => access.write((connection) => messages.send(connection, message)),
    broadcast: (message) => access.write((connection) => messages.broadcast(connection, message)),
    read: (recipientId, limits, at) => access.write((connection) => messages.read(connection, recipientId, limits, at)),
    readAgain: (recipientId, limits) =>
      access.read((connection) => messages.readAgain(connection, recipientId, limits)),
    count: (recipientId) => access.read((connection) => messages.count(connection, recipientId)),
    unread: (recipientId) => access.read((connection) => messages.unread(connection, recipientId)),
    feed: (limit, before) => access.read((connection) => feed.newest(connection, limit, before)),
    feedState: () => access.read(feed.state),
    feedChanges: (state, limit) => access.read((connection) => feed.changes(connection, state, limit)),

    due: (sessionIds, at, limits) => access.read((connection) => wakes.due(connection, sessionIds, at, limits)),
    takeWake: (sessionId, at, limits) =>
      access.write((connection) => wakes.takeWake(connection, sessionId, at, limits)),
    settleWake: (sessionId, take, outcome, at, limits) =>
      access.write((connection) => wakes.settleWake(connection, sessionId, take, outcome, at, limits)),
    wakes: (sessionId, at, limits) => access.read((connection) => wakes.wakes(connection, sessionId, at, limits)),
    notice: (sessionId, at) =>
      access.writeAtOnce((connection) => wakes.notice(connection, sessionId, at), NOTICE_PATIENCE_MS),

    prune: (at, ttlMs) => access.write((connection) => prune(connection, at, ttlMs)),
    commitProbe: () => createCommitProbe(file, busyMs),
    close: () => access.close(),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
