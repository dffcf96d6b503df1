import type { ProblemList } from '../../errors/problem-list.ts';
import { isClass, tokenName, type Token } from '../../shared/class-type.ts';
import { didYouMeanToken } from '../../shared/did-you-mean.ts';
import { reportUndefined, resolveReference } from '../check-options.ts';
import type { ProviderDrafts } from '../providers/provider-drafts.ts';
import { isToken, type ProviderDraft } from '../providers/read-provider.ts';
import type { ModuleNode } from './scan-modules.ts';

/** The tokens that one module sees, and those that it exports. */
export interface ModuleScope {
  /** Own providers over imported ones over global ones. */
  readonly visible: ReadonlyMap<Token, ProviderDraft>;
  readonly exported: ReadonlyMap<Token, ProviderDraft>;
  /** Tokens that come from two imports with different meanings: the names of the modules that give them. */
  readonly ambiguous: ReadonlyMap<Token, readonly string[]>;
}

type Scopes = ReadonlyMap<ModuleNode, ModuleScope>;

/** Determines for every module which tokens can be injected in it. Imported modules come first. */
export function scopeModules(
  modules: readonly ModuleNode[],
  drafts: ProviderDrafts,
  problems: ProblemList,
): Scopes {
  const scopes = new Map<ModuleNode, ModuleScope>();
  for (const node of modules) {
    const own = new Map((drafts.byModule.get(node) ?? []).map((draft) => [draft.token, draft]));
    const imported = mergeExports(
      node.imports.map((giver) => ({ name: giver.name, exported: scopes.get(giver)?.exported ?? new Map() })),
    );
    const visible = new Map([...imported.visible, ...own]);
    const exported = exportsOf(node, visible, scopes, problems);
    for (const token of own.keys()) imported.ambiguous.delete(token);
    scopes.set(node, { visible, exported, ambiguous: imported.ambiguous });
  }
  return addGlobals(scopes, drafts.builtIn);
}

/** Puts the exports of several modules together; the first one wins, and the rest is remembered as a rival. */
function mergeExports(
  givers: readonly { readonly name: string; readonly exported: ReadonlyMap<Token, ProviderDraft> }[],
): { readonly visible: Map<Token, ProviderDraft>; readonly ambiguous: Map<Token, readonly string[]> } {
  const visible = new Map<Token, ProviderDraft>();
  const firstGivers = new Map<Token, string>();
  const ambiguous = new Map<Token, readonly string[]>();
  for (const { name, exported } of givers) {
    for (const [token, draft] of exported) {
      const first = visible.get(token);
      if (first === undefined) {
        visible.set(token, draft);
        firstGivers.set(token, name);
      } else if (first.key !== draft.key) {
        ambiguous.set(token, [firstGivers.get(token) ?? '', name]);
      }
    }
  }
  return { visible, ambiguous };
}

function exportsOf(
  node: ModuleNode,
  visible: ReadonlyMap<Token, ProviderDraft>,
  scopes: Scopes,
  problems: ProblemList,
): ReadonlyMap<Token, ProviderDraft> {
  const exported = new Map<Token, ProviderDraft>();
  node.exports.forEach((entry, index) => {
    const wanted = resolveReference(entry);
    const passedOn = node.imports.filter((module) => module.type === wanted || module.source === wanted);
    for (const module of wanted === undefined ? [] : passedOn) {
      for (const [token, draft] of scopes.get(module)?.exported ?? []) exported.set(token, draft);
    }
    if (wanted !== undefined && passedOn.length > 0) return;
    const draft = isToken(wanted) ? visible.get(wanted) : undefined;
    if (draft !== undefined) exported.set(draft.token, draft);
    else reportExport(node, wanted, `exports[${String(index)}]`, visible, problems);
  });
  return exported;
}

function reportExport(
  node: ModuleNode,
  wanted: unknown,
  place: string,
  visible: ReadonlyMap<Token, ProviderDraft>,
  problems: ProblemList,
): void {
  if (wanted === undefined) {
    const fix = 'exports: [() => TheModule], or break the import circle';
    reportUndefined(place, fix, problems.at(node.name));
    return;
  }
  const name = isToken(wanted) ? tokenName(wanted) : dynamicName(wanted);
  const others = [...visible.keys()].filter((known) => tokenName(known) !== name);
  const list = isToken(wanted) && !isModuleLike(wanted, node) ? 'providers' : 'imports';
  problems.at(node.name).add('TW_SCAN_EXPORT_UNKNOWN', {
    what: `exports ${name}, which it neither provides nor imports.`,
    fix:
      didYouMeanToken(name, others) ??
      `@Module({ ${list}: [${name}] }) on ${node.name}, or remove it from exports`,
  });
}

function isModuleLike(wanted: Token, node: ModuleNode): boolean {
  return isClass(wanted) && wanted !== node.type && wanted.name.endsWith('Module');
}

function dynamicName(wanted: unknown): string {
  const type: unknown = (wanted as { module?: unknown } | null)?.module;
  return isClass(type) ? type.name : String(wanted);
}

function addGlobals(scopes: Scopes, builtIn: readonly ProviderDraft[]): Scopes {
  const globals = mergeExports(
    [...scopes].flatMap(([node, scope]) =>
      node.isGlobal ? [{ name: node.name, exported: scope.exported }] : [],
    ),
  );
  const everywhere = new Map([...builtIn.map((draft) => [draft.token, draft] as const), ...globals.visible]);
  return new Map(
    [...scopes].map(([node, { visible, exported, ambiguous }]) => {
      const rivals = [...globals.ambiguous].filter(([token]) => !visible.has(token));
      const scope = {
        visible: new Map([...everywhere, ...visible]),
        exported,
        ambiguous: new Map([...ambiguous, ...rivals]),
      };
      return [node, Object.freeze(scope)];
    }),
  );
}
