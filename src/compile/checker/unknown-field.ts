import { describeReceived, type Issue } from '../../call/issue.ts';
import { suggestionFor } from '../../shared/did-you-mean.ts';

/** The issue of a field that nobody declared. */
export function unknownField(path: string, name: string, value: unknown, accepted: readonly string[]): Issue {
  return {
    path,
    message: 'unknown field',
    received: describeReceived(value),
    ...(accepted.length === 0 ? {} : { accepted }),
    ...suggestionFor(name, accepted),
  };
}
