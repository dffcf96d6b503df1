import type { OpenAI } from 'openai';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { codeOf } from '../shared/error-shape.ts';
import { membersOf, type PlainObject } from '../shared/json.ts';
import type { EvalModel, ModelFormat } from './model.ts';
import { withoutSecrets } from './secrets.ts';

/** What a provider's SDK is asked by. */
type Ask = (body: PlainObject, signal: AbortSignal | undefined) => PromiseLike<unknown>;

interface LiveProvider {
  readonly format: ModelFormat;
  /** The package to install. */
  readonly sdk: string;
  /** Reads keys and addresses from the environment, as its documentation says. */
  open(): Promise<Ask>;
}

async function openOpenai(): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  const { OPENAI_BASE_URL: address = '', OPENAI_API_KEY: key = '' } = process.env;
  // A model on this machine wants no key, and the SDK does
  return new Client(address !== '' && key === '' ? { apiKey: 'none' } : {});
}

const PROVIDERS: Readonly<Record<string, LiveProvider>> = {
  openai: {
    format: 'openai',
    sdk: 'openai',
    open: async () => {
      const client = await openOpenai();
      return (body, signal) => client.chat.completions.create(body as never, { signal });
    },
  },
  'openai-responses': {
    format: 'openai-responses',
    sdk: 'openai',
    open: async () => {
      const client = await openOpenai();
      return (body, signal) => client.responses.create(body as never, { signal });
    },
  },
  anthropic: {
    format: 'anthropic',
    sdk: '@anthropic-ai/sdk',
    open: async () => {
      const { Anthropic } = await import('@anthropic-ai/sdk');
      const client = new Anthropic();
      return (body, signal) => client.messages.create(body as never, { signal });
    },
  },
  gemini: {
    format: 'gemini',
    sdk: '@google/genai',
    open: async () => {
      const { GoogleGenAI } = await import('@google/genai');
      const client = new GoogleGenAI({});
      return ({ config, ...body }, abortSignal) =>
        client.models.generateContent({ ...body, config: { ...membersOf(config), abortSignal } } as never);
    },
  },
};

/**
 * A model of a provider, asked through its official SDK, which you install. Keys and addresses come from the environment, as
 * the SDK reads them: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`; `OPENAI_BASE_URL` is any address that speaks the
 * API of OpenAI, such as that of a model on this machine, which needs no key.
 * @param name the provider and the model: `openai/…`, `openai-responses/…`, `anthropic/…`, `gemini/…`
 * @throws ToolwrightError TW_EVALS_MODEL for another provider, without the SDK, or where it refuses to start
 *
 * @example
 * const model = await liveModel('anthropic/claude-haiku-4-5');
 */
export async function liveModel(name: string): Promise<EvalModel> {
  const slash = name.indexOf('/');
  const provider = Object.hasOwn(PROVIDERS, name.slice(0, slash))
    ? PROVIDERS[name.slice(0, slash)]
    : undefined;
  const model = name.slice(slash + 1);
  if (slash === -1 || provider === undefined || model === '')
    throw new ToolwrightError('TW_EVALS_MODEL', {
      where: `The model ${JSON.stringify(name)}`,
      what: 'does not name a provider that is known, a slash and a model.',
      fix: `${Object.keys(PROVIDERS).join('/…, ')}/…`,
    });
  const ask = await provider.open().catch((cause: unknown) => {
    throw notOpened(provider, name, cause);
  });
  return {
    name,
    format: provider.format,
    // What the SDK adds to an answer, such as methods, does not belong to it
    respond: async (request, signal) =>
      JSON.parse(JSON.stringify(await ask({ model, ...request }, signal))) as PlainObject,
  };
}

function notOpened({ sdk }: LiveProvider, name: string, cause: unknown): ToolwrightError {
  const isMissing = codeOf(cause) === 'ERR_MODULE_NOT_FOUND';
  return new ToolwrightError('TW_EVALS_MODEL', {
    where: `The model ${name}`,
    what: isMissing
      ? `needs the package ${sdk}.`
      : `cannot be asked: ${withoutSecrets(cause instanceof Error ? cause.message : String(cause))}`,
    fix: isMissing ? `npm install ${sdk}` : 'set the key of the provider in the environment',
    cause,
  });
}
