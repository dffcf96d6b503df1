import { Logger } from '../call/logger.ts';
import type { ProviderKey, ProviderRecipe, ScannedProvider } from '../scanner/providers/scanned-provider.ts';
import type { Token } from '../shared/class-type.ts';

/**
 * The providers of an application that are the same as in the application before it: the same class or factory in the
 * same module, and everything that is injected is the same, too. The instance of such a singleton can go on living.
 *
 * @param now dependencies before those that need them, as the scanner sorts them
 * @returns the keys now and before
 */
export function sameProviders(
  before: readonly ScannedProvider[],
  now: readonly ScannedProvider[],
): ReadonlyMap<ProviderKey, ProviderKey> {
  const formerly = new Map<Token, ScannedProvider[]>();
  for (const provider of before) {
    formerly.set(provider.token, [...(formerly.get(provider.token) ?? []), provider]);
  }
  const same = new Map<ProviderKey, ProviderKey>();
  for (const provider of now) {
    const former = formerly.get(provider.token)?.find((each) => isSame(provider, each, same));
    if (former !== undefined) same.set(provider.key, former.key);
  }
  return same;
}

function isSame(
  now: ScannedProvider,
  before: ScannedProvider,
  same: ReadonlyMap<ProviderKey, ProviderKey>,
): boolean {
  return (
    now.module === before.module &&
    now.scope === before.scope &&
    // A logger that writes to the same place is another object after each edit of the file that made it.
    (now.token === Logger || isSameRecipe(now.recipe, before.recipe, same)) &&
    now.dependencies.length === before.dependencies.length &&
    now.dependencies.every(({ key }, index) => {
      const former = before.dependencies[index]?.key;
      return key === undefined ? former === undefined : former !== undefined && same.get(key) === former;
    })
  );
}

function isSameRecipe(
  now: ProviderRecipe,
  before: ProviderRecipe,
  same: ReadonlyMap<ProviderKey, ProviderKey>,
): boolean {
  switch (now.kind) {
    case 'class':
      return before.kind === 'class' && now.type === before.type;
    case 'value':
      return before.kind === 'value' && Object.is(now.value, before.value);
    case 'factory':
      return before.kind === 'factory' && now.create === before.create;
    case 'existing':
      return before.kind === 'existing' && same.get(now.target) === before.target;
    case 'context':
      return before.kind === 'context';
  }
}
