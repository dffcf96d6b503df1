import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { CodeKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import type { fullFormats } from 'ajv-formats/dist/formats.js';

/** The class of either dialect. */
export type AnyAjv = AjvModule.Ajv | Ajv2020;

/** The parts of ajv and its formats that are used. */
interface Modules {
  readonly Ajv: typeof AjvModule.Ajv;
  readonly Ajv2020: typeof Ajv2020;
  readonly codegen: Pick<typeof AjvModule, '_' | 'str' | 'Name'>;
  readonly reference: CodeKeywordDefinition;
  readonly addFormats: FormatsPlugin;
}

let modules: Modules | undefined;
let formats: typeof fullFormats | undefined;

/**
 * Loads ajv when it is first needed: it takes a seventh of an application's start, and an application with only
 * classes as inputs never needs it. It uses `require`, because schemas are compiled in synchronous code.
 */
export function loadAjv(): Modules {
  if (modules !== undefined) return modules;
  const require = createRequire(import.meta.url);
  const { Ajv, _, str, Name } = require('ajv') as typeof AjvModule;
  const { Ajv2020: OfDraft2020 } = require('ajv/dist/2020.js') as { readonly Ajv2020: typeof Ajv2020 };
  const { default: reference } = require('ajv/dist/vocabularies/core/ref.js') as {
    readonly default: CodeKeywordDefinition;
  };
  const { default: addFormats } = require('ajv-formats') as { readonly default: FormatsPlugin };
  return (modules = { Ajv, Ajv2020: OfDraft2020, codegen: { _, str, Name }, reference, addFormats });
}

/** The formats of ajv-formats by their names; they need no ajv. */
export function loadFormats(): typeof fullFormats {
  if (formats !== undefined) return formats;
  const require = createRequire(import.meta.url);
  const loaded = require('ajv-formats/dist/formats.js') as { readonly fullFormats: typeof fullFormats };
  return (formats = loaded.fullFormats);
}

/** Ajv's tag for pieces of code. */
export const _: typeof AjvModule._ = (strings, ...values) => loadAjv().codegen._(strings, ...values);

/** Ajv's tag for code that makes a text. */
export const str: typeof AjvModule.str = (strings, ...values) => loadAjv().codegen.str(strings, ...values);
