import { createHash } from 'node:crypto';

/** A text as a column takes it: PostgreSQL refuses U+0000, and half a surrogate pair would become another character. */
export function storedText(text: string): string {
  return text.startsWith('"') || text.includes('\0') || /\p{Surrogate}/u.test(text)
    ? JSON.stringify(text)
    : text;
}

export function readText(stored: unknown): string {
  const text = stored as string;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** A key as an index takes it: short, and in no alphabet but ASCII. */
export function storedKey(key: string): string {
  return /^[ !$-~][ -~]{0,199}$/.test(key) ? key : `#${hashOf(JSON.stringify(key))}`;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

const LONGEST_TIME = 1e15;

/** Milliseconds as a column takes them. */
export function wholeTime(milliseconds: number): number {
  return Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_TIME);
}
