import type { RequestContext, LocalCallOptions, Root, SampleResult } from '../index.ts';

/** How a user answers a form or a URL; without `content`, an accepted form is empty. */
export type ScriptedAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** What the client's model says: the whole result, or the text of one. */
export type ScriptedSample = string | Pick<SampleResult, 'content'> | SampleResult;

/** What a client answers, each list in the order of the questions. */
export interface ClientScript {
  readonly answers?: readonly ScriptedAnswer[];
  readonly samples?: readonly ScriptedSample[];
  readonly roots?: readonly Root[];
}

/** Everything that a client can be asked for. */
export const ALL_CAPABILITIES = Object.freeze({
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
});

type Answering = NonNullable<LocalCallOptions['onRequest']>;

/** Answers requests to the client from a script. It throws where the script has come to its end. */
export function scriptedClient({ answers = [], samples = [], roots }: ClientScript): Answering {
  const answersLeft = [...answers];
  const samplesLeft = [...samples];
  const methods: Readonly<Record<string, (params: Parameters<RequestContext['request']>[1]) => unknown>> = {
    'elicitation/create': ({ message }) =>
      answersLeft.shift() ?? endOfScript(`ask(…, ${JSON.stringify(message)})`, 'answers', answers.length),
    'sampling/createMessage': () =>
      sampleOf(samplesLeft.shift() ?? endOfScript('sample()', 'samples', samples.length)),
    'roots/list': () => ({ roots: roots ?? endOfScript('roots()', 'roots', 0) }),
  };
  return (method, params) => methods[method]?.(params);
}

function sampleOf(sample: ScriptedSample): unknown {
  const base = { role: 'assistant', model: 'scripted', stopReason: 'endTurn' };
  return typeof sample === 'string'
    ? { ...base, content: { type: 'text', text: sample } }
    : { ...base, ...sample };
}

function endOfScript(call: string, option: keyof ClientScript, count: number): never {
  const given = count === 0 ? 'none was given' : `all ${String(count)} of them are used up`;
  throw new Error(`No answer is left for ${call}: ${given}. Pass new FakeToolContext({ ${option}: […] })`);
}
