import { Buffer } from 'node:buffer';
import type { ProblemList } from '../../errors/problem-list.ts';
import { hasDefault } from '../../schema/keywords.ts';
import { estimateTokens } from '../../shared/token-estimate.ts';
import type { ToolDefinition } from '../tools/compiled-tool.ts';
import type { ResultLimit } from '../../scanner/actions/scan-tools.ts';
import { raisedLength, type PreparedAction, type PreparedTool } from '../tools/prepared-tool.ts';
import { createFindingTools } from './finding-tools.ts';
import { checkReplacedNames, checkSurface } from './list-surface.ts';
import {
  settleSurface,
  type FittingSurface,
  type Surface,
  type SurfaceForm,
  type SurfaceSettings,
} from './surface.ts';

/** The tools of an application, in all of their forms. */
export interface FormedTools {
  /** How many actions they have together. */
  readonly actions: number;
  readonly on: (surface: Surface | undefined) => readonly PreparedTool[];
  /** All that a surface lists, also what is hidden from some callers. */
  readonly definitions: (surface: Surface | undefined) => readonly ToolDefinition[];
  /** About so many tokens has this list. */
  readonly countTokens: (surface: Surface | undefined) => number;
}

/** The tools that sets of tools are made of. */
export function formTools(
  sets: readonly {
    readonly prepared: PreparedTool;
    readonly on: (surface: Surface) => { readonly prepared: PreparedTool };
  }[],
): FormedTools {
  const own = sets.map(({ prepared }) => prepared);
  return createFormedTools(own, (surface) => sets.map((set) => set.on(surface).prepared));
}

/** @param own what groups say themselves */
export function createFormedTools(
  own: readonly PreparedTool[],
  present: (surface: Surface) => readonly PreparedTool[],
): FormedTools {
  const on: FormedTools['on'] = (surface) => (surface === undefined ? own : present(surface));
  const list = (surface: Surface | undefined): readonly ToolDefinition[] =>
    on(surface).flatMap(({ listed }) => listed.map(({ definition }) => definition));
  const definitions: FormedTools['definitions'] = (surface) =>
    surface?.reaches === undefined
      ? list(surface)
      : [...createFindingTools(list(surface.reaches)), ...list(surface)];
  return {
    actions: own.reduce((count, { actions }) => count + actions.length, 0),
    on,
    definitions,
    countTokens: (surface) => estimateTokens(JSON.stringify(definitions(surface))),
  };
}

/**
 * The surface of a client, in the form that it takes whole. It is decided from the whole application, so that names
 * depend on no caller; where everything fits as it is, it is the surface itself.
 */
export function fitSurface(
  fit: FittingSurface,
  tools: FormedTools,
  { all, form }: Pick<SurfaceSettings, 'all' | 'form'>,
): Surface | undefined {
  const plain = all.get(
    settleSurface(fit, {
      actions: tools.actions,
      countTokens: (name) => tools.countTokens(all.get(name)),
    }),
  );
  // What groups say keeps its names and its tools
  if (plain === undefined) return fitOwn(fit, tools, form);
  const { flatOverBytes, maxNameLength } = fit;
  const isLarge = flatOverBytes !== undefined && hasLargeSchema(tools.on(plain), flatOverBytes);
  const large = isLarge ? { flatOverBytes } : {};
  const sized = isLarge ? form(plain, large) : plain;
  const isLong = maxNameLength !== undefined && hasLongName(tools.on(sized), maxNameLength);
  const others = { ...fitTexts(fit, tools.on(plain)), ...fitResults(fit, tools.on(plain)) };
  if (!isLong && Object.keys(others).length === 0) return sized;
  return form(plain, { ...large, ...(isLong ? { maxNameLength } : {}), ...others });
}

function fitOwn(fit: FittingSurface, tools: FormedTools, form: SurfaceSettings['form']): Surface | undefined {
  const { outputs } = fit;
  const own = tools.on(undefined);
  // A tool of several actions may say nothing of outputs, and its results have them all the same
  const isShaped = outputs !== undefined && own.some(({ actions }) => actions.some(hidesOutput(outputs)));
  const results = { ...fitResults(fit, own), ...(isShaped ? { outputs } : {}) };
  return Object.keys(results).length === 0 ? undefined : form(undefined, results);
}

function hidesOutput(outputs: 'none' | 'json'): (action: PreparedAction) => boolean {
  return ({ output, scanned }) => output !== undefined && (outputs === 'none' || scanned.result !== 'json');
}

/** What signatures of tools say, where a client reads less of them than others, or no defaults of schemas. */
function fitTexts(
  { maxDescription = Infinity, defaults }: FittingSurface,
  tools: readonly PreparedTool[],
): Pick<SurfaceForm, 'maxDescription' | 'defaults'> {
  const signed = tools.flatMap(({ listed }) =>
    listed.filter(({ discriminator }) => discriminator !== undefined),
  );
  const isLong = signed.some(({ definition }) => definition.description.length > maxDescription);
  const drops = signed.some(({ definition }) =>
    Object.values(definition.inputSchema.properties ?? {}).some(hasDefault),
  );
  return { ...(isLong ? { maxDescription } : {}), ...(drops && defaults !== undefined ? { defaults } : {}) };
}

/** What tools say of their results, where a client needs something else than what they say to all. */
function fitResults(
  { outputs, resultLimit }: FittingSurface,
  tools: readonly PreparedTool[],
): Pick<SurfaceForm, 'outputs' | 'resultLimit'> {
  return {
    ...(outputs !== undefined && saysOutput(tools, outputs) ? { outputs } : {}),
    ...(resultLimit !== undefined && hasLongResult(tools, resultLimit) ? { resultLimit } : {}),
  };
}

function hasLongResult(tools: readonly PreparedTool[], limit: ResultLimit): boolean {
  return tools.some(({ actions }) => raisedLength(limit, actions) !== undefined);
}

/** Whether a tool says of its results what is not said to a client. */
function saysOutput(tools: readonly PreparedTool[], outputs: 'none' | 'json'): boolean {
  return tools.some(({ listed }) =>
    listed.some(
      ({ definition, offered }) =>
        definition.outputSchema !== undefined &&
        (outputs === 'none' || offered.some(({ scanned }) => scanned.result !== 'json')),
    ),
  );
}

function hasLargeSchema(tools: readonly PreparedTool[], bytes: number): boolean {
  return tools.some(({ listed }) =>
    listed.some(
      ({ discriminator, definition }) =>
        discriminator !== undefined && Buffer.byteLength(JSON.stringify(definition.inputSchema)) > bytes,
    ),
  );
}

function hasLongName(tools: readonly PreparedTool[], length: number): boolean {
  return tools.some(({ listed }) => listed.some(({ definition }) => definition.name.length > length));
}

/** The forms of surfaces that known clients get of these tools, beside the surfaces themselves. */
export function findForms(tools: FormedTools, surfaces: SurfaceSettings): readonly Surface[] {
  const fits = [...(surfaces.fitting?.fits.keys() ?? [])];
  const fitted = fits.map((fit) => fitSurface(fit, tools, surfaces));
  const plain = new Set<Surface | undefined>(surfaces.all.values());
  return [...new Set(fitted)].filter((surface) => surface !== undefined && !plain.has(surface)) as Surface[];
}

/** The surfaces that clients get who choose none, with the ids of the known clients that get them; `own` is undefined. */
export function offerSurfaces(
  tools: FormedTools,
  surfaces: SurfaceSettings | undefined,
): ReadonlyMap<Surface | undefined, readonly string[]> {
  if (surfaces?.fitting === undefined) return new Map([[surfaces?.all.get(surfaces.use), []]]);
  // A client that is not known gets what groups say
  const offered = new Map<Surface | undefined, readonly string[]>([[undefined, []]]);
  for (const [fit, clients] of surfaces.fitting.fits) {
    const surface = fitSurface(fit, tools, surfaces);
    offered.set(surface, [...(offered.get(surface) ?? []), ...clients].sort());
  }
  return offered;
}

/** Reports all that keeps a surface that clients can get from being served. */
export function checkSurfaces(tools: FormedTools, surfaces: SurfaceSettings, problems: ProblemList): void {
  for (const surface of new Set([...surfaces.served, ...findForms(tools, surfaces)]))
    checkSurface(tools.on(surface), surface, problems);
  for (const fit of surfaces.fitting?.fits.keys() ?? []) {
    const surface = fit.nameChars === undefined ? undefined : fitSurface(fit, tools, surfaces);
    if (surface !== undefined && fit.nameChars !== undefined)
      checkReplacedNames(tools.on(surface), surface, fit.nameChars, problems);
  }
}
