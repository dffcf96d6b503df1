import type { ScannedApplication } from '../scanner/scanned-application.ts';
import type { ProviderKey } from '../scanner/scanned-provider.ts';
import type { Token } from '../shared/token.ts';

/**
 * Finds providers from outside of any module: what the root module sees comes first, then the modules
 * in their order, then controllers and module classes, which no module can inject.
 */
export function indexTokens(application: ScannedApplication): ReadonlyMap<Token, ProviderKey> {
  const index = new Map<Token, ProviderKey>();
  const root = application.modules.at(-1);
  const modules = root === undefined ? [] : [root, ...application.modules.slice(0, -1)];
  for (const module of modules) {
    for (const [token, key] of module.visible) if (!index.has(token)) index.set(token, key);
  }
  for (const { token, key } of application.providers) if (!index.has(token)) index.set(token, key);
  return index;
}
