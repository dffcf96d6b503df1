import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedTool } from '../scanner/scanned-tool.ts';
import { compileCallable, type CallableParts } from './compile-callable.ts';
import { compileOutput } from './compile-output.ts';
import type { ActionDefinition } from './compiled-tool.ts';
import { commonSources } from './prepare-tool.ts';
import type { PreparedAction } from './prepared-tool.ts';
import { ownRequiredFields } from './strategies/required-fields.ts';
import { toldDeprecation } from './told-deprecation.ts';

/** Compiles one action: input, chain and conversion, each once. */
export function compileAction(
  tool: ScannedTool,
  { scanned, contracts, output, facts }: PreparedAction,
  place: Pick<CallableParts, 'discriminator' | 'toolFields'>,
  resolver: InstanceResolver,
): ActionDefinition {
  const { key, version, name, group, title, description, tags, hasMiddleware, task } = scanned;
  const { isDestructive, isReadOnly, isIdempotent } = scanned;
  const common = commonSources(tool, scanned);
  return Object.freeze({
    key,
    version,
    deprecated: toldDeprecation(tool, scanned),
    name,
    group,
    title,
    description,
    isDestructive,
    isReadOnly,
    isIdempotent,
    tags,
    hasMiddleware,
    hasOutput: output !== undefined,
    task,
    requiredFields: ownRequiredFields(contracts.common[0]?.schema, facts.own),
    convert: compileOutput(scanned.result, output),
    // Last, because V8 gives every object that begins with a spread a hidden class of its own
    ...compileCallable(scanned, { contracts, common, ...place }, resolver),
  });
}
