import type { CheckExplanation } from '../compile/checker/explanation.ts';
import type { CompiledApplication } from '../compile/compile-application.ts';
import type { CompiledHandler } from '../compile/handler-call.ts';

/** How the input of one action, prompt or resource is checked. */
export interface ExplainedInput {
  readonly kind: 'action' | 'prompt' | 'resource';
  /** The tool of an action; undefined for the others. */
  readonly tool: string | undefined;
  /** The key of the action, or the name. */
  readonly name: string;
  /** Its DTO classes: those of the common inputs, then its own. Other schemas are not listed. */
  readonly checks: readonly CheckExplanation[];
}

/** Lists how every input of an application is checked. */
export function explainChecks({ tools, prompts, resources }: CompiledApplication): readonly ExplainedInput[] {
  const explain = (
    kind: ExplainedInput['kind'],
    tool: string | undefined,
    name: string,
    handler: CompiledHandler,
  ): ExplainedInput => Object.freeze({ kind, tool, name, checks: handler.explain() });
  return Object.freeze([
    ...tools.flatMap((set) =>
      set.tools.flatMap((tool) =>
        tool.actions.map((action) => explain('action', tool.definition.name, action.key, action)),
      ),
    ),
    ...prompts.map((prompt) => explain('prompt', undefined, prompt.name, prompt)),
    ...resources.map((resource) => explain('resource', undefined, resource.name, resource)),
  ]);
}
