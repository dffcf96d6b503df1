import { isSameJson } from '../../shared/canonical-json.ts';
import type {
  Surface,
  SurfacePrompt,
  SurfaceResource,
  SurfaceTemplate,
  SurfaceTool,
} from '../surface/surface.ts';
import { changeOf, sortChanges, type Change, type RuleName } from './changes.ts';
import { compareByClient } from './compare-by-client.ts';
import { compareTools, describe } from './compare-tools.ts';
import { pairItems } from './pair-items.ts';

/** All that differs between two surfaces, the most serious first. */
export function compareSurfaces(before: Surface, after: Surface): readonly Change[] {
  return sortChanges([
    ...compareServers(before, after),
    ...compareToolLists(before.tools, after.tools),
    ...comparePrompts(before.prompts, after.prompts),
    ...compareByAddress(before.resources, after.resources, RESOURCES),
    ...compareByAddress(before.resourceTemplates, after.resourceTemplates, TEMPLATES),
    ...compareByClient(before, after),
  ]);
}

function compareServers(before: Surface, after: Surface): readonly Change[] {
  const changes: Change[] = [];
  if (!isSameJson(before.server, after.server)) changes.push(changeOf('server-changed', '', 'server'));
  if (before.instructions !== after.instructions)
    changes.push(changeOf('instructions-changed', '', 'server'));
  return changes;
}

function compareToolLists(before: readonly SurfaceTool[], after: readonly SurfaceTool[]): readonly Change[] {
  const { kept, removed, added, renamed } = pairItems(before, after, {
    keyOf: ({ name }) => name,
    formOf: ({ inputSchema }) => inputSchema,
  });
  const [gone, fresh] = [removed.map(exposition), added.map(exposition)];
  const exposed = gone.filter((tool) => fresh.some((other) => isSameExposedOtherwise(tool, other)));
  const isExposed = ({ name }: SurfaceTool): boolean => exposed.some((tool) => tool.name === name);
  const orders = [kept.map(([{ name }]) => name), keptOrder(kept, after)];
  return [
    ...exposed.map(({ name }) => changeOf('exposition-changed', name, name)),
    ...removed.filter((tool) => !isExposed(tool)).map(({ name }) => changeOf('tool-removed', name, name)),
    ...renamed.map(([from, to]) =>
      changeOf('tool-renamed', from.name, from.name, `"${to.name}" takes the same`),
    ),
    ...added.map(({ name }) => changeOf('tool-added', name, name)),
    ...(isSameJson(orders[0], orders[1]) ? [] : [changeOf('tools-reordered', '', 'tools')]),
    ...kept.flatMap(([from, to]) => (isSameJson(from, to) ? [] : compareTools(from, to))),
  ];
}

/** The tools that stayed, in their new order. */
function keptOrder(
  kept: readonly (readonly [SurfaceTool, SurfaceTool])[],
  after: readonly SurfaceTool[],
): readonly string[] {
  const names = new Set(kept.map(([{ name }]) => name));
  return after.map(({ name }) => name).filter((name) => names.has(name));
}

interface Exposition {
  readonly name: string;
  readonly keys: readonly string[];
}

function exposition({ name, actions = [] }: SurfaceTool): Exposition {
  return { name, keys: actions.map(({ key }) => key) };
}

/** `tasks` with the action `create`, and `tasks_create`: one of them groups what the other is. */
function isSameExposedOtherwise(one: Exposition, other: Exposition): boolean {
  const [group, single] = one.name.length < other.name.length ? [one, other] : [other, one];
  const letters = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '');
  return (
    single.name.startsWith(group.name) &&
    group.keys.some((key) => letters(single.name) === letters(`${group.name}${key}`))
  );
}

function comparePrompts(
  before: readonly SurfacePrompt[],
  after: readonly SurfacePrompt[],
): readonly Change[] {
  const { kept, removed, added, renamed } = pairItems(before, after, {
    keyOf: ({ name }) => name,
    formOf: (prompt) => ({
      const: (prompt.arguments ?? [])
        .map(({ name }) => name)
        .concat(prompt.arguments?.length ? [] : [prompt.name]),
    }),
  });
  return [
    ...removed.map(({ name }) => promptChange('prompt-removed', name)),
    ...renamed.map(([from, to]) => promptChange('prompt-renamed', from.name, `"${to.name}" takes the same`)),
    ...added.map(({ name }) => promptChange('prompt-added', name)),
    ...kept.flatMap(([from, to]) => [
      ...describe(`prompt ${to.name}`, `prompt ${to.name}`, from.description, to.description),
      ...compareArguments(from, to),
      ...presentation(`prompt ${to.name}`, from, to),
    ]),
  ];
}

function promptChange(rule: RuleName, name: string, message?: string, argument?: string): Change {
  const owner = `prompt ${name}`;
  return changeOf(rule, owner, argument === undefined ? owner : `${owner}(${argument})`, message);
}

function compareArguments(before: SurfacePrompt, after: SurfacePrompt): readonly Change[] {
  const old = new Map((before.arguments ?? []).map((argument) => [argument.name, argument]));
  const now = new Map((after.arguments ?? []).map((argument) => [argument.name, argument]));
  const add = (rule: RuleName, argument: string, message?: string): Change =>
    promptChange(rule, after.name, message, argument);
  const gone = [...old.keys()].filter((name) => !now.has(name));
  return [
    ...gone.map((name) => add('argument-removed', name)),
    ...[...now].flatMap(([name, argument]) => {
      const known = old.get(name);
      const needs = argument.required === true;
      if (known === undefined) return [needs ? add('argument-required', name) : add('argument-added', name)];
      const place = `prompt ${after.name}(${name})`;
      const texts = describe(`prompt ${after.name}`, place, known.description, argument.description);
      if ((known.required === true) === needs) return texts;
      return [...texts, needs ? add('argument-required', name) : add('argument-optional', name)];
    }),
  ];
}

type Addressed = SurfaceResource | SurfaceTemplate;

interface AddressRules {
  readonly kind: string;
  readonly removed: RuleName;
  readonly changed: RuleName;
  readonly added: RuleName;
}

const RESOURCES: AddressRules = {
  kind: 'resource',
  removed: 'resource-removed',
  changed: 'resource-uri-changed',
  added: 'resource-added',
};
const TEMPLATES: AddressRules = {
  kind: 'template',
  removed: 'template-removed',
  changed: 'template-changed',
  added: 'template-added',
};

/** Resources are called by their addresses: what kept its name and not its address has moved. */
function compareByAddress(
  before: readonly Addressed[],
  after: readonly Addressed[],
  { kind, removed, changed, added }: AddressRules,
): readonly Change[] {
  const paired = pairItems(before, after, { keyOf: addressOf, formOf: ({ name }) => ({ const: name }) });
  const place = (item: Addressed): string => `${kind} ${addressOf(item)}`;
  const change = (rule: RuleName, item: Addressed, message?: string): Change =>
    changeOf(rule, place(item), place(item), message);
  return [
    ...paired.removed.map((item) => change(removed, item)),
    ...paired.renamed.map(([from, to]) => change(changed, from, `it is at ${addressOf(to)} now`)),
    ...paired.added.map((item) => change(added, item)),
    ...paired.kept.flatMap(([from, to]) => [
      ...(from.mimeType === to.mimeType
        ? []
        : [
            change(
              'mime-type-changed',
              to,
              `it was ${from.mimeType ?? 'not given'}, and is ${to.mimeType ?? 'not given'}`,
            ),
          ]),
      ...describe(place(to), place(to), from.description, to.description),
      ...presentation(place(to), from, to),
    ]),
  ];
}

function addressOf(item: Addressed): string {
  return 'uri' in item ? item.uri : item.uriTemplate;
}

function presentation(
  place: string,
  before: SurfacePrompt | Addressed,
  after: SurfacePrompt | Addressed,
): readonly Change[] {
  const isSame = (['title', 'name', '_meta'] as const).every((key) => isSameJson(before[key], after[key]));
  return isSame ? [] : [changeOf('presentation-changed', place, place)];
}
