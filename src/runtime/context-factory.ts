import { contextsWith } from '../call/call-context.ts';
import type { RequestContext } from '../call/request-context.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { AskContract, AskContracts } from '../call/ask.ts';
import { elicitationSchema } from '../compile/contracts/elicitation-schema.ts';
import { createContract } from '../compile/contracts/create-contract.ts';
import { isClass } from '../shared/class-type.ts';
import type { PlainObject } from '../shared/json.ts';
import type { SchemaSource } from '../shared/schema-source.ts';

/**
 * Makes the context of a call. It gets what the SDK hands to its handlers,
 * and the same request in the framework's own form.
 */
export type ContextFactory = (extra: unknown, request: RequestContext) => unknown;

/**
 * Gives a {@link ContextFactory} by which plain handlers get the context that decorated ones get.
 * It keeps the compiled schemas of what handlers ask for, so make one of it and use that.
 *
 * @example
 * const registry = new ToolRegistry();
 * registry.attachToServer(server, { contextFactory: createContextFactory() });
 */
export function createContextFactory(): (extra: unknown, request: RequestContext) => ToolContext {
  return contextsWith(createAskContracts());
}

/** A {@link ContextFactory} as {@link createContextFactory} gives, which keeps nothing from call to call. */
export function toolContextOf(extra: unknown, request: RequestContext): ToolContext {
  return createContextFactory()(extra, request);
}

/** Makes the contract of each schema that handlers ask by once. */
export function createAskContracts(): AskContracts {
  const known = new WeakMap<SchemaSource, AskContract>();
  return {
    of(schema) {
      let contract = known.get(schema);
      if (contract === undefined) known.set(schema, (contract = compileAskContract(schema)));
      return contract;
    },
  };
}

function compileAskContract(source: SchemaSource): AskContract {
  const where = isClass(source) && source.name !== '' ? source.name : 'the schema of ask()';
  // a form does not say that further fields are forbidden, so they are no fault of the client
  const contract = createContract(source, { where, unknownFields: 'strip' });
  const schema = elicitationSchema(contract.schema, where);
  const declared = new Set(contract.names);
  const asked = new Set(schema.required);
  // what may be null and must be there is asked as optional: nothing stands for null in a form
  const blank = (contract.schema.required ?? []).filter((name) => !asked.has(name));
  const fill = (content: PlainObject): PlainObject => ({
    ...Object.fromEntries(blank.map((name) => [name, null])),
    ...Object.fromEntries(Object.entries(content).filter(([name]) => declared.has(name))),
  });
  return Object.freeze({ schema, check: (content: PlainObject) => contract.check(fill(content)) });
}
