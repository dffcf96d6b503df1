import { contextsWith } from '../../call/call-context.ts';
import type { RequestContext } from '../../call/request-context.ts';
import type { ToolContext } from '../../call/tool-context.ts';
import type { AskContract, AskContracts } from '../../call/ask.ts';
import { elicitationSchema } from '../../compile/contracts/elicitation-schema.ts';
import { createContract } from '../../compile/contracts/create-contract.ts';
import { isClass } from '../../shared/class-type.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';

/** Creates the context of a call. `extra` is what an SDK hands to its handlers, on an attached server; undefined elsewhere. */
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

/** Creates each schema's contract once. */
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
  // a form does not forbid further fields, so they are not the client's fault
  const contract = createContract(source, { where, unknownFields: 'strip' });
  const schema = elicitationSchema(contract.schema, where);
  const declared = new Set(contract.names);
  const asked = new Set(schema.required);
  // a required nullable field is optional in a form, which has no null
  const blank = (contract.schema.required ?? []).filter((name) => !asked.has(name));
  const fill = (content: PlainObject): PlainObject => ({
    ...Object.fromEntries(blank.map((name) => [name, null])),
    ...Object.fromEntries(Object.entries(content).filter(([name]) => declared.has(name))),
  });
  return Object.freeze({
    schema,
    check: (content: PlainObject) => contract.check(fill(content)),
    valuesIn: contract.redaction?.valuesIn,
  });
}
