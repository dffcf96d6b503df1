import type { ExplorerOpening } from '../application/explorer/open-explorer.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { PATHS } from './contract.ts';

/**
 * By the address and not by its spelling: `0`, `::` and `::ffff:0.0.0.0` are all interfaces.
 * @throws ToolwrightError TW_EXPLORER_HOST, or TW_SERVER_OPTION where the endpoint has its paths
 */
export function checkPlace({ place: { url, host, address }, isExposed }: ExplorerOpening): void {
  if (url.pathname === PATHS.page || url.pathname.startsWith(`${PATHS.page}/`)) {
    throw new ToolwrightError('TW_SERVER_OPTION', {
      where: 'listen(), option path',
      what: `is ${url.pathname}, where the explorer is served.`,
      fix: "path: '/mcp'",
    });
  }
  if (isExposed || isLoopback(address)) return;
  throw new ToolwrightError('TW_EXPLORER_HOST', {
    where: 'listen(), option explorer',
    what: `is set, and others reach the host ${host}.`,
    why: 'everybody with the token of the explorer may call everything that the application offers.',
    fix: 'listen on 127.0.0.1, leave the explorer out (`--no-explorer`), or explorer: { exposed: true } (`--expose-explorer`)',
  });
}

/** The names that it may be called by, with the port: those of this machine, and one that was asked for. */
export function hostsOf({ place: { url, address }, isExposed }: ExplorerOpening): readonly string[] {
  const isWildcard = /^(::ffff:)?0\.0\.0\.0$|^::$/.test(address);
  const further = isExposed && !isWildcard && !isLoopback(address) ? [url.hostname] : [];
  return ['127.0.0.1', 'localhost', '[::1]', ...further].map((name) => `${name}:${url.port || '80'}`);
}

function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || address === '::1';
}
