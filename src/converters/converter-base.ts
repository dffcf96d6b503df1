import { ToolwrightError } from '../errors/toolwright-error.ts';

/**
 * Turns a domain object into an outside form (`convertFrom…`) and back (`convertTo…`).
 * A subclass writes the two singles, or one of them when it works in one direction only.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class GroupNames extends ConverterBase<Group, string> {
 *   override convertFrom(group: Group) { return group.name; }
 *   override convertTo(name: string) { return new Group(name); }
 * }
 */
export abstract class ConverterBase<TSource, TTarget> {
  convertFrom(_source: TSource): TTarget {
    throw unwritten(this, 'convertFrom');
  }

  convertTo(_target: TTarget): TSource {
    throw unwritten(this, 'convertTo');
  }

  /** Converts each in order; results that are null or undefined are dropped, other falsy ones stay. */
  convertFromBatch(sources: readonly TSource[]): NonNullable<TTarget>[] {
    return sources.map((source) => this.convertFrom(source)).filter(isPresent);
  }

  /** The way back of {@link convertFromBatch}, by the same rule. */
  convertToBatch(targets: readonly TTarget[]): NonNullable<TSource>[] {
    return targets.map((target) => this.convertTo(target)).filter(isPresent);
  }
}

function isPresent<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined;
}

/** The error of a converter that writes none of the methods that a call could be answered by. */
function unwritten(converter: object, called: string, twin?: string): ToolwrightError<'TW_MODEL_CONVERTER'> {
  const kind = converter.constructor.name;
  return new ToolwrightError('TW_MODEL_CONVERTER', {
    where: `${kind}.${called}()`,
    what: 'is not written, so this converter does not work in that direction',
    fix: twin === undefined ? `write ${called}() in ${kind}` : `write ${called}() or ${twin}() in ${kind}`,
  });
}

/** Throws unless a subclass of `base`'s class writes `twin`: forwarding to it would never end. */
export function requireWritten<TBase extends object>(
  converter: TBase,
  base: TBase,
  called: keyof TBase & string,
  twin: keyof TBase & string,
): void {
  if (converter[twin] === base[twin]) throw unwritten(converter, called, twin);
}
