import { randomBytes } from 'node:crypto';
import { membersOf } from '../shared/json.ts';
import { isPolicyOrigin } from '../shared/option-rules.ts';
import { PATHS } from './contract.ts';

/** A view that waits for its frame to load it. */
interface ShownView {
  readonly html: string;
  readonly policy: string;
}

/** A page whose frames never load must not fill the memory. */
const MAX_WAITING_COUNT = 8;
const ID_BYTES = 32;

/**
 * Views on their way into a frame of the page. A document that the page itself made would have the policy of the page, so
 * that no script of a view would run; one from the server has a policy of its own. A frame sends no token: its address has
 * an id that is good once.
 */
export class ShownViews {
  readonly #waiting = new Map<string, ShownView>();

  /** The path at which the view is there once. */
  add(html: string, csp: unknown): string {
    const path = `${PATHS.view}/${randomBytes(ID_BYTES).toString('base64url')}`;
    this.#waiting.set(path, { html, policy: viewPolicy(csp) });
    const [oldest = ''] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING_COUNT) this.#waiting.delete(oldest);
    return path;
  }

  take(path: string): ShownView | undefined {
    const view = this.#waiting.get(path);
    this.#waiting.delete(path);
    return view;
  }
}

/**
 * The policy of hosts (MCP Apps 2026-01-26: Host Behavior), without `'self'`, which would be the explorer here. The sandbox
 * gives the view an origin of its own, also in a tab.
 * @param csp `_meta.ui.csp` of the view. What is not an origin is left out
 */
export function viewPolicy(csp: unknown): string {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = membersOf(csp);
  const resources = readOrigins(resourceDomains);
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'unsafe-inline'", ...resources],
    'style-src': ["'unsafe-inline'", ...resources],
    'img-src': ['data:', ...resources],
    'font-src': ['data:', ...resources],
    'media-src': ['data:', ...resources],
    'connect-src': readOrigins(connectDomains),
    'frame-src': readOrigins(frameDomains),
    'base-uri': readOrigins(baseUriDomains),
    'form-action': ["'none'"],
    'frame-ancestors': ["'self'"],
    sandbox: ['allow-scripts'],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.length === 0 ? "'none'" : sources.join(' ')}`)
    .join('; ');
}

function readOrigins(given: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(given) ? given : [];
  return listed.filter(isPolicyOrigin);
}
