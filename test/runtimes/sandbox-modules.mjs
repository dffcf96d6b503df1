import { isBuiltin } from 'node:module';

const OFFERED = ['node:crypto', 'node:buffer', 'node:async_hooks'];

/** Workers offer some modules of Node; everything else has to be in the bundle. */
export async function resolve(specifier, context, next) {
  const isOffered = OFFERED.includes(specifier) || (!isBuiltin(specifier) && /^[./]|^file:/.test(specifier));
  if (!isOffered) throw new Error(`The sandbox has no ${specifier}, which ${context.parentURL} imports`);
  return next(specifier, context);
}
