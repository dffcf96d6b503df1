import { ConversionError } from '../errors/conversion-error.ts';
import type { FeatureLossWarning } from '../loss/feature-loss.ts';
import type { Conversion } from '../rewrite/conversion.ts';
import type { TargetOptions } from './format-adapter.ts';

/** The warnings that are of interest; an error where the caller allows no loss. */
export function admitted(
  warnings: readonly FeatureLossWarning[],
  { ignore = [], onLoss = 'warn' }: Pick<TargetOptions, 'ignore' | 'onLoss'>,
  { adapter, direction }: Conversion,
): readonly FeatureLossWarning[] {
  const left = Object.freeze(warnings.filter(({ feature }) => !ignore.includes(feature)));
  if (onLoss === 'warn' || left.length === 0) return left;
  const list = left.map(({ path, message }) => `${path}: ${message}`).join(' ');
  throw new ConversionError('LOSS_NOT_ALLOWED', {
    adapter,
    direction,
    path: left[0]?.path ?? '',
    cause: `the conversion is not without loss: ${list}`,
    warnings: left,
  });
}
