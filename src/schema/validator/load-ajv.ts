/* oxlint-disable typescript/no-require-imports -- bundlers look for it */
import type * as AjvModule from 'ajv';
import type { CodeKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import type { fullFormats } from 'ajv-formats/dist/formats.js';
import { loadLazily } from '../../shared/platform.ts';

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
  const { Ajv, _, str, Name } = loadLazily<typeof AjvModule>('ajv', () => require('ajv'));
  const { Ajv2020: OfDraft2020 } = loadLazily<{ readonly Ajv2020: typeof Ajv2020 }>('ajv/dist/2020.js', () =>
    require('ajv/dist/2020.js'),
  );
  const { default: reference } = loadLazily<{ readonly default: CodeKeywordDefinition }>(
    'ajv/dist/vocabularies/core/ref.js',
    () => require('ajv/dist/vocabularies/core/ref.js'),
  );
  const { default: addFormats } = loadLazily<{ readonly default: FormatsPlugin }>('ajv-formats', () =>
    require('ajv-formats'),
  );
  return (modules = { Ajv, Ajv2020: OfDraft2020, codegen: { _, str, Name }, reference, addFormats });
}

/** The formats of ajv-formats by their names; they need no ajv. */
export function loadFormats(): typeof fullFormats {
  if (formats !== undefined) return formats;
  const path = 'ajv-formats/dist/formats.js';
  const loaded = loadLazily<{ readonly fullFormats: typeof fullFormats }>(path, () =>
    require('ajv-formats/dist/formats.js'),
  );
  return (formats = loaded.fullFormats);
}

/** Ajv's tag for pieces of code. */
export const _: typeof AjvModule._ = (strings, ...values) => loadAjv().codegen._(strings, ...values);

/** Ajv's tag for code that makes a text. */
export const str: typeof AjvModule.str = (strings, ...values) => loadAjv().codegen.str(strings, ...values);
