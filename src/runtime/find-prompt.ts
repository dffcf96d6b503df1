import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { PlainObject } from '../shared/json.ts';
import { unknownName } from './protocol-failures.ts';

/** Prompts, arranged for look-ups by the names that clients send. */
export interface PromptIndex {
  readonly single: ReadonlyMap<string, CompiledPrompt>;
  readonly families: readonly CompiledPrompt[];
}

export interface FoundPrompt {
  readonly prompt: CompiledPrompt;
  /** What the name says: the variable of a family. */
  readonly variables: PlainObject;
}

export function promptIndex(prompts: readonly CompiledPrompt[]): PromptIndex {
  const single = prompts.filter(({ family }) => family === undefined);
  return {
    single: new Map(single.map((prompt) => [prompt.name, prompt])),
    families: prompts.filter(({ family }) => family !== undefined),
  };
}

/** A name of its own wins over every family, and an earlier family over a later one. @throws ProtocolError */
export function findPrompt({ single, families }: PromptIndex, name: string): FoundPrompt {
  const exact = single.get(name);
  if (exact !== undefined) return { prompt: exact, variables: {} };
  for (const prompt of families) {
    const template = prompt.family?.template;
    const value = template?.match(name);
    if (template !== undefined && value !== undefined) {
      return { prompt, variables: { [template.variable]: value } };
    }
  }
  throw unknownName('prompt', name, [...single.keys(), ...families.map((family) => family.name)]);
}
