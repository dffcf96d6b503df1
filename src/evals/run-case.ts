import { CALL_FORMS } from '../application/bridge/call-forms.ts';
import { memberReader } from '../application/bridge/model-call.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { defaultRegistry, type NameMap } from '../formats/index.ts';
import type { CallToolResult, McpApplication } from '../index.ts';
import { membersOf, type PlainObject } from '../shared/json.ts';
import type { EvalCase } from './eval-case.ts';
import { compareCalls, type EvalCall, type EvalChecks } from './compare-calls.ts';
import { CONVERSATIONS, type EvalModel, type ModelUsage } from './model.ts';
import { StaleRecording } from './recording.ts';
import { withoutSecrets } from './secrets.ts';
import { createScriptedModel, readScript } from './scripted-model.ts';
import type { SurfaceTools } from './surface-tools.ts';

/** One run of one case. */
export interface EvalRun {
  /** The name of the case. */
  readonly case: string;
  /** The tags of the case. */
  readonly tags: readonly string[];
  /** From 1. */
  readonly trial: number;
  /** `stale` where a recording has no answer to what would be asked now. */
  readonly status: 'done' | 'failed' | 'stale';
  /** Why it is not done, in a sentence. */
  readonly why?: string;
  /** In the order in which they were made. */
  readonly calls: readonly EvalCall[];
  /** What is right about the calls. */
  readonly checks: EvalChecks;
  /** Calls of actions that nothing expected. */
  readonly extraCalls: number;
  /** Tokens of all arguments and results, in the encoding o200k_base. */
  readonly tokens: { readonly calls: number; readonly results: number };
  /** What the provider counted; left out where it says nothing. */
  readonly usage?: ModelUsage;
}

/** What a run of a case is made of. */
export interface CaseSettings {
  readonly app: McpApplication;
  readonly tools: SurfaceTools;
  readonly model: EvalModel | 'scripted';
  readonly trial: number;
  /** In milliseconds, for each answer of the model. */
  readonly timeout: number;
  readonly count: (text: string) => number;
}

/** A model that goes on and on is stopped. */
const MAX_TURNS = 20;
const NO_CHECKS: EvalChecks = Object.freeze({});

/** Asks the model, makes the calls that it wants, and compares them with what is expected. */
export async function runCase(each: EvalCase, settings: CaseSettings): Promise<EvalRun> {
  const { app, trial, count } = settings;
  const common = { case: each.name, tags: each.tags ?? [], trial };
  await each.setup?.(app);
  const talk = new Talk(settings, each);
  try {
    await talk.run();
  } catch (error) {
    if (!(error instanceof StaleRecording)) throw error;
    const nothing = { calls: [], checks: NO_CHECKS, extraCalls: 0, tokens: { calls: 0, results: 0 } };
    return { ...common, status: 'stale', why: error.message, ...nothing };
  }
  const { calls, results, usage, stopped, isLate } = talk;
  const { why, ...compared } = compareCalls(each, calls);
  const wrong = stopped ?? why ?? (await sayFailure(each, app));
  return {
    ...common,
    status: wrong === undefined ? 'done' : 'failed',
    ...(wrong === undefined ? {} : { why: wrong }),
    calls,
    ...compared,
    ...(isLate ? { checks: NO_CHECKS } : {}),
    tokens: {
      calls: count(calls.map(({ input }) => JSON.stringify(input)).join('\n')),
      results: count(results.join('\n')),
    },
    ...(usage === undefined ? {} : { usage }),
  };
}

async function sayFailure({ after }: EvalCase, app: McpApplication): Promise<string | undefined> {
  try {
    await after?.(app);
    return undefined;
  } catch (error) {
    return `After the calls: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A conversation with a model: it has the tools of a surface, in the form of its provider. */
class Talk {
  readonly calls: EvalCall[] = [];
  /** The texts that the model was given back. */
  readonly results: string[] = [];
  usage: ModelUsage | undefined;
  /** Why it was stopped before the model had ended. */
  stopped: string | undefined;
  /** It was stopped while the model thought, so nobody knows what it would have called. */
  isLate = false;
  readonly #tools: SurfaceTools;
  readonly #model: EvalModel;
  readonly #ask: string;
  readonly #shown: readonly unknown[];
  readonly #names: NameMap;
  readonly #timeout: number;

  constructor({ tools, model, timeout }: CaseSettings, each: EvalCase) {
    const format = model === 'scripted' ? 'openai' : model.format;
    const { tools: shown, names } = defaultRegistry().convertMany(tools.definitions, 'mcp', format);
    this.#tools = tools;
    this.#ask = each.ask;
    this.#shown = shown;
    this.#names = names;
    this.#timeout = timeout;
    this.#model = model === 'scripted' ? this.#scriptedModel(each) : model;
  }

  #scriptedModel(each: EvalCase): EvalModel {
    const calls = readScript(each).map((call) => {
      const { name, arguments: args } = this.#tools.writeCall(call);
      return { name: this.#names.toProvider(name) ?? name, arguments: args };
    });
    return createScriptedModel(calls);
  }

  async run(): Promise<void> {
    const conversation = CONVERSATIONS[this.#model.format];
    let request = conversation.begin(this.#ask, this.#shown, this.#tools.instructions);
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const response = await this.#respond(request);
      if (response === undefined) {
        this.isLate = true;
        this.stopped = `The model did not answer within ${String(this.#timeout)} ms.`;
        return;
      }
      const said = conversation.read(response);
      if (said === undefined) throw modelFailed(this.#model.name, 'it sent something else than an answer');
      const { calls, usage } = said;
      if (usage !== undefined) this.#add(usage);
      if (calls.length === 0) return;
      const results: unknown[] = [];
      for (const call of calls) results.push(await this.#make(call));
      request = conversation.next(request, response, results);
    }
    this.stopped = `It was stopped after ${String(MAX_TURNS)} turns.`;
  }

  /** Undefined where the model does not answer in time. */
  async #respond(request: PlainObject): Promise<PlainObject | undefined> {
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        resolve(undefined);
        over.abort();
      }, this.#timeout);
    });
    try {
      const answer = await Promise.race([this.#model.respond(request, over.signal), late]);
      return over.signal.aborted ? undefined : membersOf(answer);
    } catch (error) {
      if (error instanceof StaleRecording || ToolwrightError.is(error)) throw error;
      throw modelFailed(this.#model.name, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #add({ input, output }: ModelUsage): void {
    this.usage = { input: (this.usage?.input ?? 0) + input, output: (this.usage?.output ?? 0) + output };
  }

  /** Makes a call. @returns its result in the form of the provider */
  async #make(raw: unknown): Promise<unknown> {
    const { format } = this.#model;
    const use = CALL_FORMS[format].read(raw, memberReader(format));
    const known = this.#names.toToolId(use.name);
    const name = known ?? use.name;
    // What is not JSON goes on as it is, and is refused by the checker
    const args =
      known === undefined || use.fault !== undefined
        ? (use.args ?? use.fault)
        : this.#names.decodeArguments(use.name, use.args);
    const result = (await this.#tools.dispatch({ name, arguments: args })) as CallToolResult;
    const { code } = membersOf(membersOf(result._meta)['toolwright/error']);
    this.calls.push({
      tool: name,
      ...(this.#tools.findAction(name, args) ?? { input: membersOf(args) }),
      ...(result.isError === true ? { code: typeof code === 'string' ? code : 'FAILED' } : {}),
    });
    const written = CALL_FORMS[format].write(use, result);
    this.results.push(JSON.stringify(written));
    return written;
  }
}

function modelFailed(name: string, cause: unknown): ToolwrightError {
  return new ToolwrightError('TW_EVALS_MODEL', {
    where: `The model ${name}`,
    what: `did not answer: ${withoutSecrets(cause instanceof Error ? cause.message : String(cause))}`,
    fix: 'check the key, the name of the model and the address of the provider',
  });
}
