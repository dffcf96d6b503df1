import { ToolwrightError } from '../errors/toolwright-error.ts';

/** The error of a converter that writes none of the methods that a call could be answered by. */
export function unwritten(
  converter: object,
  called: string,
  twin?: string,
): ToolwrightError<'TW_MODEL_CONVERTER'> {
  const kind = converter.constructor.name;
  return new ToolwrightError('TW_MODEL_CONVERTER', {
    where: `${kind}.${called}()`,
    what: 'is not written, so this converter does not work in that direction',
    fix: twin === undefined ? `write ${called}() in ${kind}` : `write ${called}() or ${twin}() in ${kind}`,
  });
}

/** Throws unless a subclass of `base`'s class writes `twin`: forwarding to it would come back for ever. */
export function requireWritten<TBase extends object>(
  converter: TBase,
  base: TBase,
  called: keyof TBase & string,
  twin: keyof TBase & string,
): void {
  if (converter[twin] === base[twin]) throw unwritten(converter, called, twin);
}
