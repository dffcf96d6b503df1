import { canonicalCopy } from '../../schema/canonical.ts';
import { isTooDeep, LIST_NAMES, listFault, MAX_DEPTH } from '../../client/answer-shapes.ts';
import { isPlainObject, membersOf, type PlainObject } from '../../shared/json.ts';
import type { Surface } from '../surface/surface.ts';

/** The version of the form of lock files. */
export const LOCK_VERSION = 2;
/** Without what known clients get. */
const FIRST_VERSION = 1;

/** The name of a lock file, unless another one is given. */
export const LOCK_NAME = 'toolwright.lock.json';

/** A change that somebody has looked at and agreed to. */
export interface AcceptedChange {
  readonly rule: string;
  /** The place as a difference names it. */
  readonly where: string;
  readonly reason: string;
}

/** What a lock file holds. */
export interface Lock {
  readonly surface: Surface;
  readonly accept: readonly AcceptedChange[];
  /** The version of its form. Default: the newest. */
  readonly version?: number;
}

/** Why a lock file cannot be read: the rest of a sentence that begins with its name. */
export interface LockFault {
  readonly what: string;
  readonly fix: string;
}

/**
 * The text of a lock file. It is the same for the same surface: members sorted by name, two spaces, a final newline; no
 * time, no path, and no version of the framework.
 */
export function writeLock({ surface, accept, version = LOCK_VERSION }: Lock): string {
  const { surfaces, profiles, foreignNames, ...own } = surface;
  const byClient = version === FIRST_VERSION ? {} : { surfaces, profiles, foreignNames };
  const content = { lockVersion: version, ...own, ...byClient, ...(accept.length === 0 ? {} : { accept }) };
  return `${JSON.stringify(canonicalCopy(JSON.parse(JSON.stringify(content))), null, 2)}\n`;
}

const REWRITE = 'write it again with `toolwright lock`, or take it from the history of the repository';

/** Reads the text of a lock file. */
export function readLock(text: string): Lock | LockFault {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return { what: `is not complete JSON: ${(error as Error).message}`, fix: REWRITE };
  }
  if (!isPlainObject(content) || content['lockVersion'] === undefined)
    return { what: 'is not a lock file: it has no `lockVersion`', fix: REWRITE };
  const { lockVersion, accept = [], ...surface } = content;
  if (lockVersion !== LOCK_VERSION && lockVersion !== FIRST_VERSION)
    return {
      what: `has the lock version ${JSON.stringify(lockVersion)}; this release reads versions ${FIRST_VERSION} and ${LOCK_VERSION}`,
      fix: 'update toolwright: a newer release wrote this file',
    };
  if (isTooDeep(surface)) return { what: `is nested deeper than ${String(MAX_DEPTH)} levels`, fix: REWRITE };
  const fault = surfaceFault(surface);
  if (fault !== undefined) return { what: `has a wrong list: ${fault}`, fix: REWRITE };
  if (!isAcceptedList(accept))
    return {
      what: 'has a wrong `accept`: it is a list of { "rule", "where", "reason" }, all of them texts',
      fix: 'correct the entry; `toolwright diff --format json` shows the rule and the place of each change',
    };
  return { surface: surface as unknown as Surface, accept, version: lockVersion };
}

export function isLockFault(read: Lock | LockFault): read is LockFault {
  return 'what' in read;
}

function surfaceFault(surface: PlainObject): string | undefined {
  for (const name of LIST_NAMES) {
    const fault = listFault(name, surface[name]);
    if (fault !== undefined) return fault;
  }
  const { surfaces = {} } = surface;
  const isWrong = !isPlainObject(surfaces) || !Object.values(surfaces).every(isLockedSurface);
  return isWrong ? 'surfaces has for each surface { "clients", "hash", "tokens", "names" }' : undefined;
}

function isLockedSurface(value: unknown): boolean {
  const { clients, names, hash, beside = {} } = membersOf(value);
  const isTexts = (list: unknown): boolean =>
    Array.isArray(list) && list.every((each) => typeof each === 'string');
  const isBeside = isPlainObject(beside) && Object.values(beside).every(isTexts);
  return isTexts(clients) && isTexts(names) && typeof hash === 'string' && isBeside;
}

function isAcceptedList(value: unknown): value is readonly AcceptedChange[] {
  return Array.isArray(value) && value.every((item) => isPlainObject(item) && hasTexts(item));
}

function hasTexts(item: PlainObject): boolean {
  return ['rule', 'where', 'reason'].every(
    (member) => typeof item[member] === 'string' && item[member] !== '',
  );
}
