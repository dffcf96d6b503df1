import { appendRecord } from '../metadata/record-store.ts';
import type { InjectOptions } from '../metadata/options.ts';
import type { Token } from '../shared/token.ts';
import { copyOptions } from './copy-options.ts';
import { parameterDecorator } from './decorator-target.ts';

/**
 * Injects what a token stands for, into a constructor's or an action's parameter.
 * Use `() => TheClass` when files import each other. Not optional by default; an optional one is `undefined`
 * when nobody provides it.
 *
 * @example
 * constructor(@Inject('DATABASE') private readonly db: Database, @Inject(Cache, { optional: true }) cache?: Cache) {}
 */
export function Inject(token: Token | (() => Token), options: InjectOptions = {}): ParameterDecorator {
  const copy = copyOptions(options);
  return parameterDecorator('@Inject', (target, member, index) => {
    const source = Object.freeze({ kind: 'inject', token, options: copy } as const);
    appendRecord(target, { kind: 'parameter', member, index, source });
  });
}
