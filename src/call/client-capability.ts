import { ToolError } from '../errors/tool-error.ts';
import type { PlainObject } from '../shared/json.ts';
import type { ClientDescription } from './call-exchange.ts';

export type ClientCapability = 'elicitation' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'roots';

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

function hasCapability(capabilities: PlainObject, capability: ClientCapability): boolean {
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

function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null;
}
