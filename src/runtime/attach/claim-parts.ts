import type { ServerTarget } from './server-target.ts';
import type { SurfacePart } from '../surface-part.ts';

// Under the global registry, so that two copies of the package agree on who owns what of a server.
const ATTACHMENT = Symbol.for('toolwright:attachment');

/**
 * Makes the caller the owner of parts of a server; a later caller takes over what it claims.
 * @returns whether a part is still the caller's
 */
export function claimParts(
  target: ServerTarget,
  parts: Iterable<SurfacePart>,
): (part: SurfacePart) => boolean {
  const owner = Object.freeze({});
  const known = (target as { [ATTACHMENT]?: Partial<Record<SurfacePart, unknown>> })[ATTACHMENT];
  const owners = known ?? {};
  for (const part of parts) owners[part] = owner;
  // A frozen server takes no property, and then nobody can tell who came later.
  Reflect.defineProperty(target, ATTACHMENT, { value: owners, configurable: true, enumerable: false });
  return (part) => owners[part] === owner;
}
