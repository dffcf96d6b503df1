import type { CompiledPrompt } from '../../compile/primitives/compile-prompt.ts';
import type { WirePrompt } from '../../converters/wire.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { Call, Route } from '../../kernel/call/call.ts';
import type { FixedList, Methods, PromptService } from '../routes/service-parts.ts';
import { stringOf, stringsOf } from '../../kernel/call/request-params.ts';
import { resultOf } from '../../kernel/call/outcome.ts';
import { withRemoteEntries } from '../remote/remote-servers.ts';
import { compileMethod, compileMiss, compileRoute, enterRoute, type RouteSettings } from '../routes/route.ts';
import { mayRun, runPrimitive, type ServiceOptions, verdictsOf, visibleItems } from './primitives.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { type PlainObject, isPlainObject } from '../../shared/json.ts';
import { unknownName } from '../failures/protocol-failures.ts';
import { describeReceived, type CheckOutcome, type Issue } from '../../call/issue.ts';
import { plainData } from '../../call/handler-value.ts';
import type { ListedPrompt } from '../../metadata/options.ts';

/** The prompts of an application. */
export function createPromptService(
  prompts: () => readonly CompiledPrompt[],
  options: ServiceOptions,
): PromptService {
  const view = visibleItems(prompts, options.filter, arrange);
  const list = (call: Call): ReturnType<PromptService['list']> => {
    const { fixed, index } = view(call.authority?.verdicts);
    if (fixed.isAll) return fixed.list;
    return listAll(fixed.list, index.families, call, options);
  };
  const methods = (settings: RouteSettings): Methods => {
    const routesOf = (items: readonly CompiledPrompt[]): ReadonlyMap<CompiledPrompt, Route> =>
      new Map(items.map((prompt) => [prompt, compilePromptRoute(prompt, settings, options)]));
    const routes = visibleItems(prompts, options.filter, routesOf);
    routes();
    const find = (call: Call, verdicts: Verdicts | undefined): Route => {
      const name = stringOf(call.params['name'], 'name');
      // Arguments of prompts are strings (spec: server/prompts, schema GetPromptRequestParams).
      const given = stringsOf(call.params['arguments'], 'arguments', options.argumentNodes);
      const { prompt, variables } = findPrompt(view(verdicts).index, name);
      call.args = { ...given, ...variables };
      return routes().get(prompt) as Route;
    };
    const miss = compileMiss('prompts/get', settings);
    return {
      'prompts/list': compileMethod('prompts/list', settings, (call) =>
        thenMaybe(verdictsOf(call, settings), () =>
          thenMaybe(list(call), (own) =>
            thenMaybe(withRemoteEntries('prompts/list', own, call, settings), (all) =>
              settings.lists.page('prompts/list', all, call),
            ),
          ),
        ),
      ),
      'prompts/get': (call) =>
        thenMaybe(verdictsOf(call, settings), (verdicts) =>
          enterRoute(call, () => find(call, verdicts), miss),
        ),
    };
  };
  return Object.freeze({ fixed: (verdicts?: Verdicts) => view(verdicts).fixed, list, methods });
}

function compilePromptRoute(prompt: CompiledPrompt, settings: RouteSettings, options: ServiceOptions): Route {
  const { name, convert } = prompt;
  const target = { kind: 'prompt', method: 'prompts/get', name, handler: prompt } as const;
  return compileRoute(target, settings, (call) =>
    runPrimitive(
      prompt,
      { kind: 'prompt', name: String(call.params['name']), args: call.args, call, convert },
      options,
    ).then(resultOf),
  );
}

interface PromptView {
  readonly fixed: FixedList<WirePrompt>;
  readonly index: PromptIndex;
}

function arrange(items: readonly CompiledPrompt[]): PromptView {
  const index = promptIndex(items);
  const list = Object.freeze([...index.single.values()].map(({ definition }) => definition));
  return { index, fixed: Object.freeze({ list, isAll: index.families.length === 0 }) };
}

async function listAll(
  single: readonly WirePrompt[],
  families: readonly CompiledPrompt[],
  call: Call,
  options: ServiceOptions,
): Promise<readonly WirePrompt[]> {
  const listed = await Promise.all(families.map((prompt) => listFamily(prompt, call, options)));
  const byName = new Map<string, WirePrompt>();
  for (const prompt of [...single, ...listed.flat()]) {
    // What is listed twice is got from where it stands first.
    if (!byName.has(prompt.name)) byName.set(prompt.name, prompt);
  }
  return [...byName.values()];
}

/** Prompts, arranged for look-ups by the names that clients send. */
interface PromptIndex {
  readonly single: ReadonlyMap<string, CompiledPrompt>;
  readonly families: readonly CompiledPrompt[];
}

interface FoundPrompt {
  readonly prompt: CompiledPrompt;
  /** What the name says: the variable of a family. */
  readonly variables: PlainObject;
}

export function promptIndex(prompts: readonly CompiledPrompt[]): PromptIndex {
  const single = prompts.filter(({ family }) => family === undefined);
  return {
    single: new Map(single.map((prompt) => [prompt.name, prompt])),
    families: prompts.filter(({ family }) => family !== undefined),
  };
}

/** A name of its own wins over every family, and an earlier family over a later one. @throws ProtocolError */
export function findPrompt({ single, families }: PromptIndex, name: string): FoundPrompt {
  const exact = single.get(name);
  if (exact !== undefined) return { prompt: exact, variables: {} };
  for (const prompt of families) {
    const template = prompt.family?.template;
    const value = template?.match(name);
    if (template !== undefined && value !== undefined) {
      return { prompt, variables: { [template.variable]: value } };
    }
  }
  throw unknownName('prompt', name, [...single.keys(), ...families.map((family) => family.name)]);
}

/** The prompts of a family, from its list method. */
async function listFamily(
  prompt: CompiledPrompt,
  call: Call,
  options: ServiceOptions,
): Promise<readonly WirePrompt[]> {
  if (prompt.family === undefined || !(await mayRun(call, prompt))) return [];
  const convert = (value: unknown): CheckOutcome<readonly WirePrompt[]> => toWire(prompt, value);
  const run = { kind: 'prompt', name: prompt.name, args: {}, call, convert } as const;
  return runPrimitive(prompt.family.list, run, options);
}

function toWire(prompt: CompiledPrompt, given: unknown): CheckOutcome<readonly WirePrompt[]> {
  const value = plainData(given);
  if (!Array.isArray(value)) {
    const message = 'the list method of a family of prompts gives an array of prompts';
    return { ok: false, issues: [{ path: '', message, received: describeReceived(value) }] };
  }
  const items = value as readonly unknown[];
  const issues = items.flatMap((item, index) => issuesOf(item, `list.${String(index)}`, prompt));
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: items.map((item) => wirePrompt(prompt, item as ListedPrompt)) };
}

/** A client would refuse the whole list for one faulty entry. */
function issuesOf(item: unknown, path: string, { family }: CompiledPrompt): readonly Issue[] {
  if (!isPlainObject(item)) return [issue(path, 'must be an object with a name', item)];
  const { name } = item;
  const texts = (['title', 'description'] as const)
    .filter((member) => item[member] !== undefined && typeof item[member] !== 'string')
    .map((member) => issue(`${path}.${member}`, 'must be a string', item[member]));
  if (typeof name !== 'string') return [issue(`${path}.name`, 'must be a string', name), ...texts];
  if (family?.template.match(name) !== undefined) return texts;
  return [issue(`${path}.name`, `does not match ${family?.template.text ?? ''}`, name), ...texts];
}

/** A listed prompt, completed with the fields of its family. */
function wirePrompt({ definition }: CompiledPrompt, { name, title, description }: ListedPrompt): WirePrompt {
  return {
    ...definition,
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

function issue(path: string, message: string, value: unknown): Issue {
  return { path, message, received: describeReceived(value) };
}
