import type { ProblemList } from '../../errors/problem-list.ts';
import { DYNAMIC_MODULE_RULES, MODULE_RULES } from '../../metadata/option-rules.ts';
import type { DynamicModule, ModuleOptions } from '../../metadata/module-options.ts';
import { ownRecords } from '../../metadata/records.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import { readOptions, reportUndefined, resolveReference } from '../check-options.ts';
import type { ProviderKey } from '../providers/scanned-provider.ts';

/** A module of the application: the lists of @Module and of a dynamic module put together. */
export interface ModuleNode {
  /** The key of the module class as a provider. */
  readonly key: ProviderKey;
  readonly type: Class;
  readonly name: string;
  readonly isGlobal: boolean;
  readonly imports: readonly ModuleNode[];
  readonly controllers: readonly unknown[];
  readonly providers: readonly unknown[];
  readonly exports: readonly unknown[];
  /** The dynamic module object it came from. */
  readonly source: object | undefined;
}

type ListName = 'imports' | 'controllers' | 'providers' | 'exports';

/** The modules of an application, imported ones before those that import them; the root comes last. */
export function scanModules(root: unknown, problems: ProblemList): readonly ModuleNode[] {
  const walk: Walk = { nodes: new Map(), arrows: new Map(), path: [], ordered: [], problems };
  visit(root, { where: 'application', place: 'the root module' }, walk);
  return walk.ordered;
}

interface Walk {
  /** By module class, or by dynamic module object: two configurations of a class are two modules. */
  readonly nodes: Map<unknown, ModuleNode>;
  /** Each `() => …` is called once, because it could create a new dynamic module at every call. */
  readonly arrows: Map<unknown, unknown>;
  readonly path: { readonly identity: unknown; readonly name: string }[];
  readonly ordered: ModuleNode[];
  readonly problems: ProblemList;
}

interface Importer {
  readonly where: string;
  readonly place: string;
}

type ModuleLists = { readonly [List in ListName]: readonly unknown[] } & {
  readonly isGlobal: boolean;
};

function visit(reference: unknown, importer: Importer, walk: Walk): ModuleNode | undefined {
  const identity = resolveOnce(reference, walk);
  const known = walk.nodes.get(identity);
  if (known !== undefined) return known;
  const type = moduleClass(identity, importer, walk.problems);
  if (type === undefined) return undefined;
  if (isRing(identity, type, walk)) return undefined;

  const lists = readLists(type, identity, walk.problems);
  walk.path.push({ identity, name: type.name });
  const imports = lists.imports.map((entry, index) =>
    visit(entry, { where: type.name, place: `imports[${String(index)}]` }, walk),
  );
  walk.path.pop();

  const node: ModuleNode = Object.freeze({
    ...lists,
    key: Symbol(type.name),
    type,
    name: type.name,
    imports: Object.freeze([...new Set(imports.filter((imported) => imported !== undefined))]),
    source: identity === type ? undefined : (identity as object),
  });
  walk.nodes.set(identity, node);
  walk.ordered.push(node);
  return node;
}

function resolveOnce(reference: unknown, walk: Walk): unknown {
  if (!walk.arrows.has(reference)) walk.arrows.set(reference, resolveReference(reference));
  return walk.arrows.get(reference);
}

function moduleClass(identity: unknown, importer: Importer, problems: ProblemList): Class | undefined {
  if (identity === undefined) {
    reportUndefined(importer.place, 'imports: [() => TheModule]', problems.at(importer.where));
    return undefined;
  }
  if (isDynamicModule(identity)) return identity.module;
  if (isClass(identity) && ownRecords(identity, 'module').length > 0) return identity;
  const name = isClass(identity) ? identity.name : typeof identity;
  problems.at(importer.where).add('TW_SCAN_MODULE_UNKNOWN', {
    what: `uses ${name} as a module (${importer.place}), but it has no @Module.`,
    fix: isClass(identity)
      ? `@Module({}) on ${name}, or move ${name} to providers or controllers`
      : 'name a class with @Module, or { module: TheModule, … }',
  });
  return undefined;
}

function isDynamicModule(value: unknown): value is DynamicModule {
  return typeof value === 'object' && value !== null && isClass((value as { module?: unknown }).module);
}

function isRing(identity: unknown, type: Class, walk: Walk): boolean {
  const start = walk.path.findIndex((step) => step.identity === identity);
  if (start < 0) return false;
  const ring = [...walk.path.slice(start).map((step) => step.name), type.name];
  walk.problems.at(type.name).add('TW_SCAN_MODULE_CYCLE', {
    what: `imports itself: ${ring.join(' → ')}.`,
    fix: 'move what both sides need to a third module that both import',
  });
  return true;
}

function readLists(type: Class, identity: unknown, problems: ProblemList): ModuleLists {
  const here = problems.at(type.name);
  const records = ownRecords(type, 'module');
  if (records.length > 1) {
    here.add('TW_SCAN_DECORATOR_TWICE', {
      what: 'has @Module twice.',
      fix: 'put the options of both in one @Module',
    });
  }
  const declared = records
    .slice(-1)
    .map(({ options }) => readOptions(options, MODULE_RULES, '@Module', here));
  const parts: readonly ModuleOptions[] = isDynamicModule(identity)
    ? [...declared, readOptions(identity, DYNAMIC_MODULE_RULES, 'a dynamic module', here)]
    : declared;
  const list = (name: ListName): readonly unknown[] =>
    Object.freeze(parts.flatMap((part): readonly unknown[] => part[name] ?? []));
  return {
    imports: list('imports'),
    controllers: list('controllers'),
    providers: list('providers'),
    exports: list('exports'),
    isGlobal: parts.some((part) => part.global === true),
  };
}
