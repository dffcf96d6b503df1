import { isPlainObject } from '../../shared/json.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import type { Dialect } from '../../schema/keywords.ts';
import { pointTo } from '../../schema/pointer.ts';
import { heldBy } from '../../schema/walk.ts';
import type { SchemaLinks } from './schema-links.ts';

/** Keywords whose schemas judge the very value that the schema around them judges. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];

/**
 * Refuses a schema that comes back to itself without going down into the value: no value could ever be checked.
 * JSON Schema 2020-12, core 9.4.1.
 * @throws InvalidSchemaError
 */
export function checkCycles(links: SchemaLinks, dialect: Dialect): void {
  const next = new Map(
    links.places.map(({ schema, path }) => {
      const targets = links.targetsOf(path);
      const ignoresRest = dialect === 'draft-07' && targets.length > 0;
      return [path, ignoresRest ? targets : [...targets, ...inPlace(schema, path)]];
    }),
  );
  const done = new Set<string>();
  for (const path of next.keys()) follow(path, next, done);
}

function inPlace(schema: unknown, path: string): readonly string[] {
  if (!isPlainObject(schema)) return [];
  return IN_PLACE.filter((keyword) => Object.hasOwn(schema, keyword)).flatMap((keyword) =>
    heldBy(keyword, schema[keyword], pointTo(path, keyword)).map((held) => held.path),
  );
}

/** Depth first, without recursion. */
function follow(start: string, next: ReadonlyMap<string, readonly string[]>, done: Set<string>): void {
  if (done.has(start)) return;
  const active = new Set([start]);
  const open = [{ path: start, position: 0 }];
  for (let step = open.at(-1); step !== undefined; step = open.at(-1)) {
    const target = next.get(step.path)?.[step.position];
    step.position += 1;
    if (target === undefined) {
      done.add(step.path);
      active.delete(step.path);
      open.pop();
    } else if (active.has(target)) {
      throw new InvalidSchemaError({
        path: target,
        what: 'refers back to itself for one and the same value.',
      });
    } else if (!done.has(target)) {
      active.add(target);
      open.push({ path: target, position: 0 });
    }
  }
}
