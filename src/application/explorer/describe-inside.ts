import type { CheckExplanation } from '../../dto/check/explanation.ts';
import { readShape } from '../../dto/shape/read-shape.ts';
import { indexShapes, type ObjectShape, type Shape } from '../../dto/shape/shape.ts';
import { sayRequirement } from '../../runtime/requirements/caller.ts';
import type { ScannedCallable, ScannedMiddleware } from '../../scanner/members/scanned-callable.ts';
import { inWords } from '../../scanner/members/feature-uses.ts';
import type { ProviderKey, ScannedProvider } from '../../scanner/providers/scanned-provider.ts';
import type { ScanFacet } from '../../scanner/scan-facet.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import { isClass } from '../../shared/class-type.ts';
import { isStandardSchema, type SchemaSource } from '../../shared/schema-source.ts';
import type { DependencyGraph, DependencyNode, ExploredCheck, ExploredInside } from './explored-types.ts';

/** What descriptions are made with. */
export interface DescribedParts {
  /** The names of providers. */
  readonly names: ReadonlyMap<ProviderKey, string>;
  readonly features: readonly ScanFacet[] | undefined;
}

const NOTHING: ExploredInside = Object.freeze({
  middleware: [],
  checks: [],
  requires: [],
  policies: [],
  limits: [],
  sensitive: [],
  sensitiveOutput: [],
});

/** What clients do not see of an action, a prompt or a resource. */
export function describeInside(
  callable: ScannedCallable | undefined,
  checks: readonly CheckExplanation[],
  { names, features }: DescribedParts,
  common: readonly SchemaSource[] = [],
): ExploredInside {
  if (callable === undefined) return NOTHING;
  const { where, middleware, requirements, slots, input } = callable;
  const sources = [...common, ...(input === undefined ? [] : [input])];
  return {
    handler: where,
    middleware: middleware.map((each) => nameOf(each, names)),
    checks: [...checks.map((check) => ({ ...check })), ...sources.flatMap(schemaCheck)],
    requires: requirements?.isPublic === false ? requirements.all.map(sayRequirement) : [],
    policies: (requirements?.all ?? []).flatMap((each) => (each.kind === 'policy' ? each.policy.name : [])),
    limits: [...inWords('boundsIn', slots, features), ...inWords('endsIn', slots, features)],
    sensitive: [...new Set(sources.flatMap(sensitivePaths))],
    sensitiveOutput: [],
  };
}

function nameOf(middleware: ScannedMiddleware, names: DescribedParts['names']): string {
  if (middleware.kind === 'provider') return names.get(middleware.key) ?? 'a class';
  return middleware.run.name === '' ? 'a function' : middleware.run.name;
}

/** DTO classes are explained by their own checks. */
function schemaCheck(source: SchemaSource): readonly ExploredCheck[] {
  if (isStandardSchema(source)) {
    return [{ path: 'schema', reason: `a schema of ${source['~standard'].vendor} checks it`, rules: [] }];
  }
  if (isClass(source)) return [];
  return [{ path: 'schema', reason: 'ajv checks it against its JSON Schema', rules: [] }];
}

/** Paths as `card.number` and `people[].secret`; of a class within itself, those of the first level. */
export function sensitivePaths(source: SchemaSource): readonly string[] {
  if (!isClass(source) || isStandardSchema(source)) return [];
  const root = readShape(source);
  return pathsIn(root, '', indexShapes(root), new Set());
}

function pathsIn(
  shape: Shape,
  path: string,
  known: ReadonlyMap<unknown, ObjectShape>,
  open: ReadonlySet<Shape>,
): readonly string[] {
  if (open.has(shape)) return [];
  const inside = new Set([...open, shape]);
  switch (shape.kind) {
    case 'object':
      return shape.properties.flatMap(({ name, isSensitive, shape: inner }) => {
        const place = path === '' ? name : `${path}.${name}`;
        return isSensitive ? [place] : pathsIn(inner, place, known, inside);
      });
    case 'array':
      return pathsIn(shape.items, `${path}[]`, known, inside);
    case 'map':
      return pathsIn(shape.values, `${path}.*`, known, inside);
    case 'union':
      return shape.options.flatMap((option) => pathsIn(option.shape, path, known, inside));
    case 'ref':
      return pathsIn(known.get(shape.id) ?? shape, path, known, inside);
    default:
      return [];
  }
}

/** Who needs whom among the providers of an application. */
export function drawGraph({
  providers,
  modules,
  tools,
  prompts,
  resources,
}: ScannedApplication): DependencyGraph {
  const ids = new Map(providers.map(({ key }, index) => [key, String(index)]));
  const controllers = new Set(modules.flatMap((module) => module.controllers));
  const callables = [...tools.flatMap(({ actions }) => actions), ...prompts, ...resources];
  const middleware = new Set(
    callables.flatMap((each) => each.middleware.flatMap((one) => (one.kind === 'provider' ? [one.key] : []))),
  );
  const policies = new Set(
    callables.flatMap(({ requirements }) =>
      (requirements?.all ?? []).flatMap((each) =>
        each.kind === 'policy' && each.policy.kind === 'provider' ? [each.policy.key] : [],
      ),
    ),
  );
  const kindOf = (key: ProviderKey): DependencyNode['kind'] => {
    if (controllers.has(key)) return 'controller';
    if (middleware.has(key)) return 'middleware';
    return policies.has(key) ? 'policy' : 'provider';
  };
  return {
    nodes: providers.map((provider) => ({
      id: ids.get(provider.key) ?? '',
      name: provider.where,
      kind: kindOf(provider.key),
      scope: provider.recipe.kind === 'value' ? 'value' : provider.scope,
    })),
    edges: providers.flatMap((provider) =>
      neededBy(provider).flatMap((key) => {
        const [from, to] = [ids.get(provider.key), ids.get(key)];
        return from === undefined || to === undefined ? [] : [{ from, to }];
      }),
    ),
  };
}

function neededBy({ dependencies, recipe }: ScannedProvider): readonly ProviderKey[] {
  const own = dependencies.flatMap(({ key }) => key ?? []);
  return recipe.kind === 'existing' ? [...own, recipe.target] : own;
}
