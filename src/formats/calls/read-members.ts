import { isObject, type PlainObject } from '../../shared/json.ts';
import { ConversionError } from '../errors/conversion-error.ts';
import type { ModelCall } from './call-form.ts';

/** Reads the members of one call; `adapter` is the format that errors name. */
export interface MemberReader {
  object(value: unknown, path: string): PlainObject;
  text(value: unknown, path: string): string;
  optionalText(value: unknown, path: string): string | undefined;
}

export function memberReader(adapter: string): MemberReader {
  const refuse = (path: string, cause: string): ConversionError =>
    new ConversionError('INVALID_INPUT', { adapter, direction: 'toCanonical', path, cause });
  const text = (value: unknown, path: string): string => {
    if (typeof value === 'string' && value !== '') return value;
    throw refuse(path, 'a tool call needs a text here');
  };
  return {
    text,
    optionalText: (value, path) => (value === undefined || value === null ? undefined : text(value, path)),
    object: (value, path) => {
      if (isObject(value)) return value;
      throw refuse(path, 'a tool call needs an object here');
    },
  };
}

/** Parses arguments that come as JSON text; what a model wrote wrongly is told to it and no error of the caller. */
export function readArguments(text: string): Pick<ModelCall, 'args' | 'fault'> {
  if (text.trim() === '') return { args: {} };
  try {
    return { args: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return { args: undefined, fault: `The arguments are no JSON: ${reason}` };
  }
}
