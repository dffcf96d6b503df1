import { ToolwrightError } from '../errors/toolwright-error.ts';
import { didYouMean } from '../shared/did-you-mean.ts';

export function nameTaken(name: string): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_NAME_TAKEN', {
    where: `tool "${name}"`,
    what: 'is registered already.',
    why: 'a call is routed by the name of its tool, so every name has to be unique.',
    fix: 'give one of the two another name',
  });
}

export function nameUnknown(name: string, known: readonly string[]): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_NAME_UNKNOWN', {
    where: `tool "${name}"`,
    what: 'is not registered.',
    fix: didYouMean(name, known) ?? 'register() it first',
  });
}

export function notRegistrable(): ToolwrightError {
  return new ToolwrightError('TW_REGISTRY_NOT_A_TOOL', {
    where: 'register()',
    what: 'got something that is no tool builder.',
    fix: 'register(createTool("name").action({ name, handler }))',
  });
}
