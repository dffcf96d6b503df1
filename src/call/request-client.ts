import { ToolError } from '../errors/tool-error.ts';
import { isObject, type PlainObject } from '../shared/json.ts';
import type { RequestContext, ClientDescription, NamedQuestion, QuestionOptions } from './request-context.ts';
import { checkName } from './step.ts';

/** Asks the client and waits for its answer, but no longer than the call lasts. */
export async function requestClient(
  request: RequestContext,
  method: string,
  params: PlainObject,
  options: QuestionOptions,
): Promise<PlainObject> {
  const { signal } = request;
  if (signal.aborted) throw cancelledError(signal);
  let stopWaiting = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(cancelledError(signal));
    signal.addEventListener('abort', abort);
    stopWaiting = () => signal.removeEventListener('abort', abort);
  });
  try {
    const answer = await Promise.race([request.request(method, params, options), aborted]);
    if (typeof answer === 'object' && answer !== null) return answer as PlainObject;
  } finally {
    stopWaiting();
  }
  throw invalidAnswer(method);
}

/** The client answered, but not in the form that the protocol has for the answer. */
export function invalidAnswer(method: string): ToolError {
  return new ToolError('INVALID_ANSWER', `The client's answer to ${method} has not the form of one`);
}

/** The name of a question, if it was given one, and what it lets clients do. */
export function named({ name, mayBeOffered }: NamedQuestion): NamedQuestion {
  if (name === undefined) return {};
  checkName('a question', name);
  return mayBeOffered === true ? { name, mayBeOffered } : { name };
}

type ClientCapability = 'elicitation' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'roots';

const DECLARATIONS: Readonly<Record<ClientCapability, PlainObject>> = {
  elicitation: { elicitation: { form: {} } },
  'elicitation.url': { elicitation: { url: {} } },
  sampling: { sampling: {} },
  'sampling.tools': { sampling: { tools: {} } },
  roots: { roots: {} },
};

/**
 * Servers must not send what a client did not declare: it would never be answered.
 * @throws ToolError CLIENT_CAPABILITY_MISSING
 */
export function requireCapability(client: ClientDescription, capability: ClientCapability): void {
  if (hasCapability(client.capabilities, capability)) return;
  const declaration = DECLARATIONS[capability];
  throw new ToolError(
    'CLIENT_CAPABILITY_MISSING',
    `This call needs the client's capability "${capability}", which was not declared on this connection`,
    {
      suggestion: `a client that declares the capabilities ${JSON.stringify(declaration)}`,
      details: { capability, required: declaration },
    },
  );
}

export function hasCapability(capabilities: PlainObject, capability: ClientCapability): boolean {
  const { elicitation, sampling, roots } = capabilities;
  switch (capability) {
    case 'elicitation':
      return isObject(elicitation) && hasForms(elicitation);
    case 'elicitation.url':
      return isObject(elicitation) && isObject(elicitation['url']);
    case 'sampling':
      return isObject(sampling);
    case 'sampling.tools':
      return isObject(sampling) && isObject(sampling['tools']);
    case 'roots':
      return isObject(roots);
  }
}

// An empty object declares forms (spec: client/elicitation, Capabilities).
function hasForms({ form, url }: PlainObject): boolean {
  return isObject(form) || !isObject(url);
}

/** What a call ends with when its signal was aborted. */
export function cancelledError(signal: AbortSignal): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled', { cause: signal.reason });
}
