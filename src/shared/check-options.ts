import { askWhether } from './did-you-mean.ts';
import { objectOf, type OptionFault, type OptionRules } from './option-rules.ts';

/**
 * Everything that is wrong with the options of one call: names that nobody knows, values that an option cannot have,
 * and what is missing. Undefined counts as left out.
 */
export function checkOptions<Options>(options: unknown, rules: OptionRules<Options>): readonly OptionFault[] {
  return objectOf(rules).faultsOf(options, '');
}

/** What is wrong, as the rest of a sentence that begins with the place of the options, and what to write instead. */
export function sayFault(fault: OptionFault, of = 'it'): { readonly what: string; readonly fix: string } {
  const { path, kind, given, allowed, nearest } = fault;
  const suggestion = nearest === undefined ? undefined : askWhether(`"${nearest}"`);
  if (kind === 'unknown') {
    const what = `has the option "${path}", which ${of} does not know.`;
    return { what, fix: suggestion ?? `remove it; known are ${allowed}` };
  }
  const name = path === '' ? 'the options' : path;
  const fix = `let ${name} be ${allowed}`;
  if (kind === 'missing') return { what: `lacks the option ${name}.`, fix };
  return { what: `sets ${name} to ${given}, which ${of} does not accept.`, fix: suggestion ?? fix };
}

/** The options without those that have a fault, so that the search for other mistakes can go on. */
export function withoutFaulty<Options extends object>(
  options: Options,
  faults: readonly OptionFault[],
): Partial<Options> {
  if (faults.some(({ path }) => path === '')) return {};
  const faulty = new Set(faults.map(({ path }) => /^[^.[]*/.exec(path)?.[0]));
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !faulty.has(name)),
  ) as Partial<Options>;
}
