import { isPlainObject } from '../../shared/json.ts';
import type { Server } from './server.ts';

/** The server as it is shown: with `<NAME>` in place of the value of each variable. */
export function hideValues(server: Server): Server {
  if (server.kind === 'remote') return server;
  const env = Object.fromEntries(Object.keys(server.env).map((name) => [name, `<${name}>`]));
  return { ...server, env };
}

/** What a program printed, without values of the server's variables. */
export function hideIn(text: string, server: Server): string {
  if (server.kind === 'remote') return text;
  return Object.entries(server.env)
    .filter(([, value]) => value !== '')
    .reduce((shown, [name, value]) => shown.replaceAll(value, `<${name}>`), text);
}

/** An entry that somebody else wrote, without the values of its variables and headers. */
export function hideEntry(entry: unknown): unknown {
  if (!isPlainObject(entry)) return entry;
  const members = Object.entries(entry).map(([name, value]) => [
    name,
    isPlainObject(value) ? hideAll(value) : value,
  ]);
  return Object.fromEntries(members) as unknown;
}

function hideAll(value: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(value).map((name) => [name, '…']));
}
