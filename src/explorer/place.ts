import type { ExplorerOpening } from '../application/explorer/open-explorer.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isLoopbackAddress, LOOPBACK_NAMES } from '../shared/loopback.ts';
import { PATHS } from './contract.ts';

type Place = ExplorerOpening['place'];

/** The names that it may be called by, with the port, and the origins of its page. */
export type Sources = Parameters<Place['open']>[1];

/**
 * By the address and not by its spelling: `0`, `::` and `::ffff:0.0.0.0` are all interfaces. Where others reach it because
 * that was asked for, a warning says so.
 * @throws ToolwrightError TW_EXPLORER_HOST, or TW_SERVER_OPTION where the endpoint has its paths
 */
export function checkPlace({ place, isExposed }: ExplorerOpening): void {
  const { url, host, address } = place;
  if (url.pathname === PATHS.page || url.pathname.startsWith(`${PATHS.page}/`)) {
    throw new ToolwrightError('TW_SERVER_OPTION', {
      where: 'listen(), option path',
      what: `is ${url.pathname}, where the explorer is served.`,
      fix: "path: '/mcp'",
    });
  }
  if (isLoopbackAddress(address)) return;
  if (isExposed) {
    place.warn(
      `Others reach the explorer at ${host}. Who has its token may call everything that the application offers, as any caller.`,
    );
    return;
  }
  throw new ToolwrightError('TW_EXPLORER_HOST', {
    where: 'listen(), option explorer',
    what: `is set, and others reach the host ${host}.`,
    why: 'everybody with the token of the explorer may call everything that the application offers.',
    fix: 'listen on 127.0.0.1, leave the explorer out (`--no-explorer`), or explorer: { exposed: true } (`--expose-explorer`)',
  });
}

/** The names that it may be called by: those of this machine, and the one that was asked for. */
export function sourcesOf({ url, address }: Pick<Place, 'url' | 'address'>): Sources {
  const asked = isWildcard(address) ? [] : [url.hostname];
  const names = new Set([...LOOPBACK_NAMES, ...asked]);
  // Browsers leave out the port that a scheme has by default
  const ports = url.port === '' ? ['', url.protocol === 'https:' ? ':443' : ':80'] : [`:${url.port}`];
  const hosts = [...names].flatMap((name) => ports.map((port) => `${name}${port}`));
  return { hosts, origins: hosts.map((host) => `${url.protocol}//${host}`) };
}

function isWildcard(address: string): boolean {
  return /^(::ffff:)?0\.0\.0\.0$|^::$/.test(address);
}
