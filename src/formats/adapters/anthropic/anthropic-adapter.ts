import { anthropic } from '../../targets/anthropic.ts';
import { anthropicStrict } from '../../targets/anthropic-strict.ts';
import { createAdapter } from '../create-adapter.ts';
import type { FormatAdapter } from '../format-adapter.ts';
import { readAnthropic } from './read-anthropic.ts';
import { writeAnthropic } from './write-anthropic.ts';

/** Tools of Anthropic's Messages API. */
export const anthropicAdapter: FormatAdapter = createAdapter({
  name: 'anthropic',
  names: { rule: { forbidden: /[^A-Za-z0-9_-]/u, maxLength: 64 }, qualifies: true },
  target: (_options, strict) => (strict ? anthropicStrict : anthropic),
  read: readAnthropic,
  write: writeAnthropic,
});
