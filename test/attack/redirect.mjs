/** Packages come from the folder of the build under attack, so that they meet the same copies as the package itself. */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Node loads the hooks of this very file in a thread of their own
if (isMainThread) register(import.meta.url, { parentURL: import.meta.url });

export function resolve(specifier, context, next) {
  const isOurs =
    /\/test\/(attack|support)\//.test(context.parentURL ?? '') &&
    !/^(?:[./]|node:|file:|data:)/.test(specifier);
  return next(specifier, isOurs ? { ...context, parentURL: process.env.ATTACKED_PACKAGE } : context);
}
