import { refuseOptions } from '../../errors/option-errors.ts';
import { type CanonicalTool, toolId } from '../canonical/canonical-tool.ts';
import { Conversion } from '../errors.ts';
import { Losses } from '../losses.ts';
import { createNameMap, providerName, type NameEntry, type ProviderNames } from '../names.ts';
import { decodeArguments, type Decoder } from '../rewrite/decode.ts';
import { rowOfFeature } from '../rewrite/rows.ts';
import type { Target } from '../rewrite/rules/rule.ts';
import { TARGET_RULES, type Converted, type FormatAdapter, type TargetOptions } from './format-adapter.ts';
import { checkCanonical, readObject, type Reading } from './reading.ts';
import { admitted, Writing } from './writing.ts';

interface AdapterParts {
  readonly name: string;
  readonly names: ProviderNames;
  /** The column of the matrix for these options; `strict` is what the tool was read with. */
  readonly target: (options: TargetOptions, strict: boolean) => Target;
  readonly read: (reading: Reading) => CanonicalTool;
  readonly write: (writing: Writing) => unknown;
}

/** Creates an adapter that reads and writes a format, with the common handling of names and losses. */
export function createAdapter({ name, names, target, read, write }: AdapterParts): FormatAdapter {
  return Object.freeze({
    name,
    toCanonical(raw: unknown): CanonicalTool {
      return read(readObject(new Conversion(name, 'toCanonical'), raw));
    },
    fromCanonical(tool: CanonicalTool, options: TargetOptions = {}): Converted {
      refuseOptions('INVALID_OPTION', `${name} fromCanonical()`, options, TARGET_RULES);
      const conversion = new Conversion(name, 'fromCanonical');
      const checked = checkCanonical(conversion, tool);
      const variant = target(options, options.strict ?? checked.source?.extra.strict === true);
      const losses = new Losses();
      const emittedName = nameOf(checked, names, options, losses);
      const writing = new Writing(checked, conversion, losses, variant, emittedName);
      const emitted = write(writing);
      const warnings = losses.warnings(checked.source?.format ?? 'canonical', name, variant.name);
      return Object.freeze({
        tool: emitted,
        warnings: admitted(warnings, options, conversion),
        names: createNameMap([entryOf(checked, emittedName, writing.decoder)]),
      });
    },
    supportsFeature(feature, options: TargetOptions = {}): boolean {
      refuseOptions('INVALID_OPTION', `${name} supportsFeature()`, options, TARGET_RULES);
      const { letter } = target(options, options.strict === true).rules[rowOfFeature(feature)];
      return letter.startsWith('K') || letter.startsWith('t');
    },
  } satisfies FormatAdapter);
}

function nameOf(tool: CanonicalTool, names: ProviderNames, options: TargetOptions, losses: Losses): string {
  const { joined, safe } = providerName(tool, names, options);
  if (safe !== joined) {
    const outcome = `the name "${joined}" became "${safe}".`;
    losses.report({ feature: 'name', path: '/name', action: 'transformed', outcome });
  }
  return safe;
}

function entryOf(tool: CanonicalTool, emittedName: string, decoder: Decoder | undefined): NameEntry {
  return {
    toolId: toolId(tool),
    providerName: emittedName,
    ...(decoder !== undefined && { decode: (args: unknown) => decodeArguments(decoder, args) }),
  };
}
