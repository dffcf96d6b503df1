import type { ResolveHook } from 'node:module';
import type { MessagePort } from 'node:worker_threads';

const BUILT = new URL('../../../../dist/', import.meta.url).href;
let port: MessagePort | undefined;

export function initialize(given: MessagePort): void {
  port = given;
}

/** What is resolved for a file of the built package, and is none of its files. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const resolved = await next(specifier, context);
  const isOutside = resolved.url.startsWith('file:') && !resolved.url.startsWith(BUILT);
  if (isOutside && context.parentURL?.startsWith(BUILT) === true) port?.postMessage(resolved.url);
  return resolved;
};
