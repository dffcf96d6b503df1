import { describeReceived, type Issue } from '../../call/issue.ts';
import { nearestName } from '../../shared/did-you-mean.ts';

/** The issue of a field that nobody declared. */
export function unknownField(path: string, name: string, value: unknown, accepted: readonly string[]): Issue {
  const suggestion = nearestName(name, accepted);
  return {
    path,
    message: 'unknown field',
    received: describeReceived(value),
    ...(accepted.length === 0 ? {} : { accepted }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
