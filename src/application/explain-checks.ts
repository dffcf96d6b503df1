import type { CompiledApplication } from '../compile/compile-application.ts';
import type { CompiledPrompt } from '../compile/compiled-prompt.ts';
import type { CompiledResource } from '../compile/compiled-resource.ts';
import type { ExplainedInput } from '../compile/tool-definition.ts';

/** Lists how every input of an application is checked. */
export function explainChecks({ tools, prompts, resources }: CompiledApplication): readonly ExplainedInput[] {
  const explain = (
    kind: ExplainedInput['kind'],
    { name, explain: checksOf }: CompiledPrompt | CompiledResource,
  ): ExplainedInput => Object.freeze({ kind, tool: undefined, name, checks: checksOf() });
  return Object.freeze([
    ...tools.flatMap((set) => set.tools.flatMap((tool) => tool.definition.explain())),
    ...prompts.map((prompt) => explain('prompt', prompt)),
    ...resources.map((resource) => explain('resource', resource)),
  ]);
}
