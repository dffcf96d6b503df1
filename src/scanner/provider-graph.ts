import type { ProblemList } from '../errors/problem-list.ts';
import { constructorSlots, injectedSlot, type Slot } from './constructor-slots.ts';
import type { ProviderDraft } from './provider-draft.ts';
import type { ProviderKey } from './scanned-provider.ts';
import { findProvider, type TokenSpace } from './token-lookup.ts';

/** A dependency with the place that asks for it; without a draft it is optional or has been reported. */
export interface Edge {
  readonly where: string;
  readonly to: ProviderDraft | undefined;
}

/** Who needs whom, every dependency looked up in the module of the one who needs it. */
export type ProviderGraph = ReadonlyMap<
  ProviderKey,
  { readonly draft: ProviderDraft; readonly edges: readonly Edge[] }
>;

export function linkProviders(
  drafts: readonly ProviderDraft[],
  space: TokenSpace,
  problems: ProblemList,
): ProviderGraph {
  return new Map(drafts.map((draft) => [draft.key, { draft, edges: edgesOf(draft, space, problems) }]));
}

function edgesOf(draft: ProviderDraft, space: TokenSpace, problems: ProblemList): readonly Edge[] {
  return slotsOf(draft, problems).map(({ where, token, isOptional, isTyped }) => {
    if (token === undefined) return { where, to: undefined };
    // What the framework provides stands in no module; an override of it sees what the root module sees.
    const home = draft.home ?? space.modules.at(-1);
    if (home === undefined) return { where, to: undefined };
    return { where, to: findProvider({ token, home, where, isOptional, isTyped }, space, problems) };
  });
}

function slotsOf({ recipe, where }: ProviderDraft, problems: ProblemList): readonly Slot[] {
  switch (recipe.kind) {
    case 'class':
      return constructorSlots(recipe.type, problems);
    case 'existing':
      return [{ where, token: recipe.token, isOptional: false }];
    case 'factory':
      return recipe.inject.map((entry, index) =>
        factorySlot(entry, `${where} factory #${String(index + 1)}`, problems),
      );
    case 'value':
    case 'context':
      return [];
  }
}

function factorySlot(entry: unknown, where: string, problems: ProblemList): Slot {
  const isObject = typeof entry === 'object' && entry !== null;
  const { token, ...options } = isObject ? (entry as { readonly token?: unknown }) : { token: entry };
  return injectedSlot(token, options, { where, of: '`inject`' }, problems);
}
