import { patternCost } from '../pattern-cost.ts';

/** What it costs to compile a schema. */
export interface SchemaCost {
  /** Equal for schemas that say the same in the same order. */
  readonly key: string;
  /** In instructions of regular expressions. */
  readonly cost: number;
}

interface Place {
  readonly name: string;
  readonly value: unknown;
}

// As measured
const INSTRUCTIONS_PER_SCHEMA = 200;
const INSTRUCTIONS_PER_VALUE = 25;
/** Beyond it nobody can pay, so that a schema that contains itself need not be read to its end. */
const MOST = 1_000_000;

/** Looks at every value in a schema, at any depth, and compiles nothing. */
export function schemaCost(schema: unknown): SchemaCost {
  const tokens: string[] = [];
  const pending: Place[] = [{ name: '', value: schema }];
  let cost = INSTRUCTIONS_PER_SCHEMA;
  for (let place = pending.pop(); place !== undefined && cost < MOST; place = pending.pop()) {
    cost +=
      INSTRUCTIONS_PER_VALUE + patternsAt(place).reduce((sum, each) => sum + patternCost(each, false), 0);
    const { value } = place;
    if (typeof value !== 'object' || value === null) {
      tokens.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
      continue;
    }
    const members = Object.entries(value);
    tokens.push(`${Array.isArray(value) ? '[' : '{'}${members.length}`);
    for (const [name, member] of members) {
      tokens.push(JSON.stringify(name));
      pending.push({ name, value: member });
    }
  }
  return { key: tokens.join(' '), cost };
}

/** The regular expressions that stand in a place, or in a place that only looks like one. */
function patternsAt({ name, value }: Place): readonly string[] {
  if (name === 'pattern' && typeof value === 'string') return [value];
  const isMap = name === 'patternProperties' && typeof value === 'object' && value !== null;
  return isMap ? Object.keys(value) : [];
}
